import type { Operation } from "../operation.ts";
import type { ErrorCode, ErrorStatus } from "./reasons.ts";

type Codes = { readonly [Status in ErrorStatus]?: readonly ErrorCode<Status>[] };

/** Codes of every operation that needs a credential (docs/rules.md#order-of-checks). */
export const COMMON_CODES = {
  400: [
    "invalid_request",
    "malformed_http",
    "malformed_path",
    "unsupported_version",
    "ambiguous_credentials",
    "request_too_large",
  ],
  401: ["credential_missing", "invalid_api_key", "invalid_access_token", "api_key_as_bearer"],
  403: ["insufficient_scope", "account_suspended"],
  429: ["rate_limited"],
  500: ["internal_error", "outcome_unknown"],
  503: ["overloaded", "not_yet_readable", "out_of_reach", "disk_full", "read_only"],
} as const satisfies Codes;

/** Codes of every command that takes an Idempotency-Key. */
export const KEY_CODES = {
  409: ["key_in_progress", "concurrent_change", "attempt_given_up"],
  422: ["key_reused"],
} as const satisfies Codes;

/** The statuses of an operation's errors, ascending, with their codes. The operation's own codes come first. */
export function errorCodesOf(operation: Operation): ReadonlyMap<ErrorStatus, readonly ErrorCode[]> {
  const found = new Map<ErrorStatus, ErrorCode[]>();
  const add = (codes: Codes = {}) => {
    for (const [text, added] of Object.entries(codes)) {
      const status = Number(text) as ErrorStatus;
      found.set(status, [...new Set([...(found.get(status) ?? []), ...added])]);
    }
  };
  add(operation.errors);
  add(commonCodes(operation));
  if (operation.idempotencyKey !== undefined) add(KEY_CODES);
  return new Map([...found].sort(([one], [other]) => one - other));
}

function commonCodes({ id, scope }: Operation): Codes {
  if (scope !== null) return COMMON_CODES;
  const { 400: malformed, 429: limited, 500: failed, 503: unavailable } = COMMON_CODES;
  return id === "exchangeToken"
    ? { 429: limited, 500: failed, 503: unavailable }
    : { 400: malformed, 500: failed, 503: unavailable };
}
