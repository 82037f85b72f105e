import type { Credentials } from "./credentials.ts";
import { ApiError, AuthenticationError, ConnectionError } from "./errors.ts";
import type { ParameterServiceVersion } from "./generated.ts";
import { pause, requestUrl } from "./request.ts";
import type { Method } from "./types.ts";

/** The version of the API that this client is made for. Every request asks for it, whatever the account is set to. */
export const serviceVersion: ParameterServiceVersion = "2026-11-01";

/** What a call may have of its own. */
export interface CallOptions {
  /** Milliseconds for the whole call, retries and waiting included. */
  readonly timeoutMs?: number | undefined;
  /** How often a request is sent again at most. */
  readonly maxRetries?: number | undefined;
  /** Ends the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
}

/** What a call that changes something may have besides. */
export interface CommandOptions extends CallOptions {
  /** 1 to 255 characters, made where none is given. A new call with the key of an earlier one is carried out once. */
  readonly idempotencyKey?: string | undefined;
}

/** One call, whatever the number of requests it takes. */
export interface Call {
  readonly method: Method;
  /** A path template, such as `/v1/bookings/{id}`. */
  readonly path: string;
  readonly ids?: Readonly<Record<string, string>> | undefined;
  readonly query?: object | undefined;
  /** A form is sent as such, anything else as JSON. */
  readonly body?: unknown;
  /** Seconds that the service may keep the request before it answers. */
  readonly waitSeconds?: number;
  /** Null: the call needs none. */
  readonly credentials: Credentials | null;
}

export interface TransportOptions {
  readonly baseUrl: string;
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

const DEFAULT_TIMEOUT_MS = 90_000;
const DEFAULT_RETRIES = 4;

/** For one request: a connection that hangs must leave time for another one. */
const ATTEMPT_MS = 30_000;

/** Sends requests, and sends them again where that is safe and may help. */
export class Transport {
  readonly #options: TransportOptions;

  /** @throws TypeError there is no base address. */
  constructor(options: TransportOptions) {
    if (!options.baseUrl) throw new TypeError("baseUrl is required: the address of the service");
    this.#options = options;
  }

  /**
   * @throws ApiError the service refused.
   * @throws ConnectionError there was no answer in time.
   */
  async send<Answer>(
    call: Call,
    options: CommandOptions,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const { timeoutMs = this.#options.timeoutMs ?? DEFAULT_TIMEOUT_MS, signal } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    const ended = signal === undefined ? deadline : AbortSignal.any([signal, deadline]);
    const giveUpAt = Date.now() + timeoutMs;
    const request = new PreparedCall(call, options.idempotencyKey, this.#options);
    const maxRetries = options.maxRetries ?? this.#options.maxRetries ?? DEFAULT_RETRIES;
    for (let retries = 0; ; retries += 1) {
      try {
        return await request.attempt(ended, read);
      } catch (error) {
        signal?.throwIfAborted();
        if (deadline.aborted) throw request.noAnswer(`no answer within ${timeoutMs} ms`, error);
        if (!isRetryable(error) || retries >= maxRetries) throw error;
        const wait = waitBefore(retries, error);
        if (Date.now() + wait >= giveUpAt) throw error;
        await pause(wait, signal);
      }
    }
  }
}

/** The same request each time, under one idempotency key. */
class PreparedCall {
  readonly #call: Call;
  readonly #idempotencyKey: string | undefined;
  readonly #fetch: typeof globalThis.fetch;
  readonly #url: string;
  readonly #headers: Headers;
  readonly #body: RequestInit["body"];
  #outcomeUnknown = false;
  #askedForCredentials = false;

  /** @throws TypeError there can be no such request. */
  constructor(call: Call, idempotencyKey: string | undefined, { baseUrl, fetch }: TransportOptions) {
    const { method, credentials, body } = call;
    this.#call = call;
    this.#fetch = fetch ?? ((...args) => globalThis.fetch(...args));
    this.#url = requestUrl(baseUrl, call);
    const takesKey = (method === "post" || method === "patch") && credentials !== null;
    this.#idempotencyKey = takesKey ? (idempotencyKey ?? crypto.randomUUID()) : undefined;
    this.#headers = new Headers({ accept: "application/json", "service-version": serviceVersion });
    if (this.#idempotencyKey !== undefined) this.#headers.set("idempotency-key", this.#idempotencyKey);
    if (body === undefined || body instanceof FormData || body instanceof URLSearchParams) {
      this.#body = body ?? null;
    } else {
      this.#headers.set("content-type", "application/json");
      this.#body = JSON.stringify(body);
    }
  }

  async attempt<Answer>(ended: AbortSignal, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    const { method, credentials, waitSeconds = 0 } = this.#call;
    const credential = (await credentials?.headers(ended)) ?? {};
    const headers = new Headers(this.#headers);
    for (const [name, value] of Object.entries(credential)) headers.set(name, value);
    const limit = AbortSignal.timeout(ATTEMPT_MS + waitSeconds * 1000);
    const request: RequestInit = {
      method: method.toUpperCase(),
      headers,
      body: this.#body ?? null,
      signal: AbortSignal.any([ended, limit]),
      // A redirect would carry the credential elsewhere.
      redirect: "manual",
    };
    let response: Response;
    let refusal: string;
    try {
      response = await this.#fetch(this.#url, request);
      if (response.ok) return await read(response);
      refusal = await response.text();
    } catch (error) {
      this.#outcomeUnknown = true;
      throw this.noAnswer(limit.aborted ? "no answer to the request in time" : "the connection failed", error);
    }
    if (response.status >= 500) this.#outcomeUnknown = true;
    // What is gone after a lost answer is gone because of it.
    if (method === "delete" && response.status === 404 && this.#outcomeUnknown) return undefined as Answer;
    const error = ApiError.of(response, refusal, this.#idempotencyKey);
    if (!(error instanceof AuthenticationError) || this.#askedForCredentials) throw error;
    this.#askedForCredentials = true;
    if (credentials?.refused(credential) !== true) throw error;
    return this.attempt(ended, read);
  }

  noAnswer(message: string, cause: unknown): ConnectionError {
    return new ConnectionError(message, { cause, idempotencyKey: this.#idempotencyKey });
  }
}

function isRetryable(error: unknown): boolean {
  return error instanceof ConnectionError || (error instanceof ApiError && error.retryable);
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;

/** `Retry-After`, else twice as long each time; a little apart from others who wait as well. */
function waitBefore(retries: number, error: unknown): number {
  const asked = error instanceof ApiError ? error.retryAfter : undefined;
  if (asked !== undefined) return asked * 1000 + Math.random() * 250;
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retries) * (0.5 + Math.random() / 2);
}
