import { errorResponse } from "../errors/error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { RateStatus } from "./rate-limiter.ts";

/** The rate-limit headers (docs/rules.md#rate-limits). */
export function rateHeaders({ limit, remaining, resetsAt }: RateStatus): Record<string, string> {
  return {
    "X-RateLimit-Limit": String(limit),
    "X-RateLimit-Remaining": String(remaining),
    "X-RateLimit-Reset": String(resetsAt),
  };
}

/** The same, appended to a flat list of names and values. */
export function pushRateHeaders(headers: (string | number)[], { limit, remaining, resetsAt }: RateStatus): void {
  headers.push("X-RateLimit-Limit", limit, "X-RateLimit-Remaining", remaining, "X-RateLimit-Reset", resetsAt);
}

/** 429; the rate-limit headers are added where the response is written. */
export function tooManyRequests({ limit, retryAfter }: RateStatus): ApiResponse {
  return errorResponse(429, `More than ${limit} requests a minute; wait ${retryAfter} seconds.`, {
    "Retry-After": String(retryAfter),
  });
}
