/** The parts of a response that count. */
export interface DeliveryResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
  /** The beginning of the body. */
  readonly excerpt: string;
}

/** The outcome of an attempt. */
export type Outcome =
  | { readonly ok: true; readonly responseStatus: number }
  | {
      readonly ok: false;
      /** Null if there was no response. */
      readonly responseStatus: number | null;
      /** In words. */
      readonly error: string;
      /** The receiver is gone for good (410). */
      readonly gone: boolean;
      /** Milliseconds to wait, from `Retry-After`; null without it. */
      readonly retryAfter: number | null;
      /** The beginning of the response's body; null if there was no response. */
      readonly excerpt: string | null;
    };

const GONE = 410;

/** A delivery succeeds with any 2xx, whatever the body (docs/rules.md#delivery-attempts). */
export function outcomeOf({ status, retryAfter: given, excerpt }: DeliveryResponse, now: number): Outcome {
  if (status >= 200 && status <= 299) return { ok: true, responseStatus: status };
  const isRedirect = status >= 300 && status <= 399;
  const error = `the endpoint answered ${status}${isRedirect ? ": redirects are not followed" : ""}`;
  const retryAfter = parseRetryAfter(given, now);
  return { ok: false, responseStatus: status, error, gone: status === GONE, retryAfter, excerpt };
}

/** The outcome of an attempt without a response. */
export function failedWithoutResponse(error: string): Outcome {
  return { ok: false, responseStatus: null, error, gone: false, retryAfter: null, excerpt: null };
}

/** Parses both forms of `Retry-After` (RFC 9110 §10.2.3), a date relative to `now`; null for anything else. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  // Date.parse accepts much more than the HTTP date, which begins with the name of a day.
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}

/** The error code of a connection that was closed because its answer was too long. */
export const ANSWER_TOO_LONG = "ANSWER_TOO_LONG";

const MESSAGES_BY_CODE: Readonly<Record<string, string>> = {
  ECONNREFUSED: "the endpoint refused the connection",
  ECONNRESET: "the endpoint closed the connection without an answer",
  EPIPE: "the endpoint closed the connection without an answer",
  UND_ERR_SOCKET: "the endpoint closed the connection without an answer",
  UND_ERR_CONNECT_TIMEOUT: "no connection to the endpoint in time",
  ETIMEDOUT: "no connection to the endpoint in time",
  EHOSTUNREACH: "the endpoint's network can't be reached",
  ENETUNREACH: "the endpoint's network can't be reached",
  UND_ERR_HEADERS_OVERFLOW: "the headers of the endpoint's answer are too large",
  [ANSWER_TOO_LONG]: "the endpoint's answer is too long",
};

const NOT_VALID = "the endpoint's answer is not valid HTTP";

/** Messages of undici for connections it closed itself, all with one code. */
const CLOSED_BY_UNDICI: Readonly<Record<string, string>> = {
  "bad upgrade": "the endpoint changed the protocol, which was not asked for",
};

/** This machine has no more files, memory, buffers or ports. */
const OUR_OWN = new Set(["EMFILE", "ENFILE", "ENOMEM", "ENOBUFS", "EADDRNOTAVAIL"]);

/** Whether a response is missing because this process or machine could not send. */
export function isOurOwn(error: unknown): boolean {
  return OUR_OWN.has(codeOf(error) ?? "");
}

/** Explains a missing response to the owner of the endpoint. It shows only the code of the error. */
export function explainFailure(error: unknown): string {
  if (error instanceof Error && error.name === "HTTPParserError") return NOT_VALID;
  const code = codeOf(error);
  if (code === undefined) return "the endpoint could not be reached";
  const closed = code === "UND_ERR_SOCKET" && error instanceof Error ? CLOSED_BY_UNDICI[error.message] : undefined;
  const known = closed ?? MESSAGES_BY_CODE[code];
  if (known !== undefined) return known;
  // The parser reports some invalid responses as failed assertions.
  if (/^HPE_|^UND_ERR_RES|^ERR_ASSERTION$/.test(code)) return NOT_VALID;
  if (/CERT|SIGNATURE|ISSUER|^ERR_TLS|SELF_SIGNED/.test(code))
    return `the endpoint's certificate is not valid (${code})`;
  if (/^ERR_SSL|^EPROTO/.test(code)) return `no secure connection to the endpoint (${code})`;
  return `the endpoint could not be reached (${code})`;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, cause } = error as { readonly code?: unknown; readonly cause?: unknown };
  // undici wraps the error of the socket.
  const inner = cause === undefined ? undefined : codeOf(cause);
  return inner ?? (typeof code === "string" ? code : undefined);
}
