import type { OAuthError } from "@travel-booking/api-contract";
import type { ApiResponse } from "../route.ts";

/** RFC 6749 §5.1 demands it of tokens; errors follow suit. */
export const NO_STORE = { "Cache-Control": "no-store", Pragma: "no-cache" };

/** An error of the token endpoint (RFC 6749 §5.2). */
export function oauthError(error: OAuthError["error"], description: string): ApiResponse {
  const json = JSON.stringify({ error, error_description: description } satisfies OAuthError);
  if (error !== "invalid_client") return { status: 400, json, headers: NO_STORE };
  return { status: 401, json, headers: { ...NO_STORE, "WWW-Authenticate": 'Basic realm="travel-booking-service"' } };
}
