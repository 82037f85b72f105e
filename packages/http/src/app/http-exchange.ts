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
  /** Headers that were sent more than once although a request may have only one of each; in lower case. */
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
  /** Set while the request is in flight. */
  #inFlight: InFlight | undefined = undefined;

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

  /** From now on the request is in flight; false if there are too many. */
  enter(inFlight: InFlight): boolean {
    if (inFlight.isOverloaded) return false;
    inFlight.add(this);
    this.#inFlight = inFlight;
    return true;
  }

  /** Final: a wait that ends after the response must not count the request as in flight again. */
  leave(): void {
    this.#inFlight?.delete(this);
    this.#inFlight = undefined;
  }

  async waitUncounted<Value>(wait: Promise<Value>): Promise<Value> {
    this.hasWaited = true;
    this.#inFlight?.delete(this);
    try {
      return await wait;
    } finally {
      this.#inFlight?.add(this);
    }
  }

  header(name: string): string | undefined {
    const value = this.request.headers[name];
    return typeof value === "object" ? value.join(", ") : value;
  }
}

/** A service always accepts this many requests in flight (docs/rules.md#overload). */
const ALWAYS_TAKEN = 500;
/** Above that, milliseconds for which the oldest request in flight may have been running. */
const MAX_WAIT_MS = 100;

export interface InFlightOptions {
  readonly alwaysTaken?: number;
  readonly maxWaitMs?: number;
}

/**
 * The requests in flight of one service, with the time each began. How many are too many depends on the machine and on
 * the requests. The age of the oldest one measures overload on any machine.
 */
export class InFlight {
  readonly #since = new Map<HttpExchange, number>();
  readonly #alwaysTaken: number;
  readonly #maxWaitMs: number;

  constructor({ alwaysTaken = ALWAYS_TAKEN, maxWaitMs = MAX_WAIT_MS }: InFlightOptions = {}) {
    this.#alwaysTaken = alwaysTaken;
    this.#maxWaitMs = maxWaitMs;
  }

  get count(): number {
    return this.#since.size;
  }

  /** Whether the next request is refused at once instead of being served late. */
  get isOverloaded(): boolean {
    if (this.#since.size < this.#alwaysTaken) return false;
    const [first = Number.POSITIVE_INFINITY] = this.#since.values();
    return performance.now() - first >= this.#maxWaitMs;
  }

  add(exchange: HttpExchange): void {
    this.#since.set(exchange, performance.now());
  }

  delete(exchange: HttpExchange): void {
    this.#since.delete(exchange);
  }
}
