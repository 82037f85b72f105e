import type { IncomingMessage, ServerResponse } from "node:http";
import type { RateStatus } from "../rate-limit.ts";
import { requestIdOf, supportedVersion } from "../request/headers.ts";
import type { ApiRequest, Caller, CommandIdentity } from "../route.ts";

const NO_PARAMS: Readonly<Record<string, string>> = Object.freeze({});

/** One request with all that is found out about it on its way to the handler. */
export class HttpExchange implements ApiRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly startedAt = performance.now();
  readonly requestId: string;
  params: Readonly<Record<string, string>> = NO_PARAMS;
  query: unknown = undefined;
  body: unknown = undefined;
  caller: Caller | null = null;
  command: CommandIdentity | null = null;
  /** Set for a valid credential, unless the limit is switched off. */
  rate: RateStatus | undefined = undefined;
  /** The version of the API the answer is shaped by: the one asked for if there is such a one, else the credential's. */
  apiVersion: string | undefined;
  /** What every answer of a deprecated operation says, however it turns out. */
  deprecation: Readonly<Record<string, string>> | undefined = undefined;
  /** True once the handler has waited for something that may take long: who asked may not be allowed to any more. */
  hasWaited = false;
  /** Set while the request is counted among those being worked on. */
  inFlight: InFlightLimit | undefined = undefined;

  constructor(request: IncomingMessage, response: ServerResponse) {
    this.request = request;
    this.response = response;
    this.requestId = requestIdOf(request.headers["x-request-id"]);
    this.apiVersion = supportedVersion(request.headers["service-version"]);
  }

  get raw(): { readonly request: IncomingMessage; readonly response: ServerResponse } {
    return { request: this.request, response: this.response };
  }

  async waitUncounted<Value>(wait: Promise<Value>): Promise<Value> {
    const { inFlight } = this;
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

/** Requests one service works on at once; more are refused at once rather than served late (docs/rules.md#overload). */
export const MAX_IN_FLIGHT = 1_000;

/** Counts the requests a service is working on. */
export class InFlightLimit {
  count = 0;
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  get isFull(): boolean {
    return this.count >= this.#most;
  }
}
