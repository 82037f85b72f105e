/** What a receiver answered, or why it did not. */
export type DeliveryResponse =
  | { readonly kind: "answered"; readonly status: number; readonly retryAfter: string | undefined }
  /** `error` for people. */
  | { readonly kind: "unanswered"; readonly error: string };

/** What an attempt came to. */
export type Outcome =
  | { readonly ok: true; readonly responseStatus: number }
  | {
      readonly ok: false;
      /** Null where nothing was answered. */
      readonly responseStatus: number | null;
      /** For people. */
      readonly error: string;
      /** The receiver is gone for good (410). */
      readonly gone: boolean;
      /** Milliseconds the receiver asked to be left alone; null: it did not. */
      readonly retryAfter: number | null;
    };

const GONE = 410;

/** A delivery has succeeded when the answer is 2xx, whatever its body is (docs/rules.md#delivery-attempts). */
export function outcomeOf(answer: DeliveryResponse, now: number): Outcome {
  if (answer.kind === "unanswered") return failedWithoutResponse(answer.error);
  const { status } = answer;
  if (status >= 200 && status <= 299) return { ok: true, responseStatus: status };
  const isRedirect = status >= 300 && status <= 399;
  const error = `the endpoint answered ${status}${isRedirect ? ": redirects are not followed" : ""}`;
  const retryAfter = parseRetryAfter(answer.retryAfter, now);
  return { ok: false, responseStatus: status, error, gone: status === GONE, retryAfter };
}

/** An attempt without an answer. */
export function failedWithoutResponse(error: string): Outcome {
  return { ok: false, responseStatus: null, error, gone: false, retryAfter: null };
}

/** `Retry-After` in either form (RFC 9110 §10.2.3), from `now`, the time its sender has; null for anything else. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  if (retryAfter === undefined) return null;
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Math.min(Number(text) * 1_000, Number.MAX_SAFE_INTEGER);
  // Only the fixed form has a name of a day in front; Date.parse takes much else.
  const at = /^[A-Z][a-z]{2}, /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
