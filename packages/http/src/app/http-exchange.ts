import type { IncomingMessage, ServerResponse } from "node:http";
import { repeatedHeaders, requestIdOf, supportedVersion } from "../request/headers.ts";
import type { ApiRequest, Caller, CommandIdentity, RateStatus } from "../route.ts";

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/**
 * One request, and what the checks find out about it on its way to the handler. Every field has a value from the start:
 * V8 handles objects of one shape fastest.
 */
export class HttpExchange implements ApiRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly startedAt = performance.now();
  readonly requestId: string;
  /** Headers given more than once that a request has once at most; in lower case. */
  readonly repeatedHeaders: readonly string[];
  query: unknown = undefined;
  body: unknown = undefined;
  caller: Caller | null = null;
  command: CommandIdentity | null = null;
  /** Set for a valid credential, unless the limit is switched off. */
  rate: RateStatus | undefined = undefined;
  /** The `Service-Version` of the response: the one requested if it exists, else the credential's. */
  apiVersion: string | undefined;
  /** Headers of every response of a deprecated operation. */
  deprecation: Readonly<Record<string, string>> | undefined = undefined;
  /** True once the handler has waited long: the credential may have been revoked meanwhile. */
  hasWaited = false;
  /** True if no further request can be read on the connection. */
  mustClose = false;
  /** Set while the request has a place in flight. */
  #inFlight: InFlightLimit | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse, params = NO_PARAMS) {
    this.request = request;
    this.response = response;
    this.params = params;
    this.repeatedHeaders = repeatedHeaders(request.rawHeaders);
    this.requestId = requestIdOf(request.headers["x-request-id"]);
    this.apiVersion = supportedVersion(request.headers["service-version"]);
  }

  get raw(): { readonly request: IncomingMessage; readonly response: ServerResponse } {
    return { request: this.request, response: this.response };
  }

  /** The path of the URL, still percent-encoded. */
  get path(): string {
    return (this.request.url ?? "").split("?", 1)[0] as string;
  }

  /** Takes a place in flight; false if there is none. */
  enter(inFlight: InFlightLimit): boolean {
    if (inFlight.isFull) return false;
    inFlight.count += 1;
    this.#inFlight = inFlight;
    return true;
  }

  /** Gives the place back, if the request has one. */
  leave(): void {
    if (this.#inFlight !== undefined) this.#inFlight.count -= 1;
  }

  async waitUncounted<Value>(wait: Promise<Value>): Promise<Value> {
    const inFlight = this.#inFlight;
    this.hasWaited = true;
    if (inFlight === undefined) return wait;
    inFlight.count -= 1;
    try {
      return await wait;
    } finally {
      inFlight.count += 1;
    }
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }
}

/** Requests in flight per service. More are refused at once rather than served late (docs/rules.md#overload). */
export const MAX_IN_FLIGHT = 1_000;

/** Counts the requests in flight of one service. */
export class InFlightLimit {
  count = 0;
  readonly #max: number;

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.count >= this.#max;
  }
}
