import type { Scope } from "@travel-booking/domain";
import { errorResponse } from "../errors/error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { AuthenticationFailure } from "./authenticator.ts";

const CHALLENGE = 'Bearer realm="travel-booking-service"';

const AUTHENTICATION_ERRORS: Readonly<Record<AuthenticationFailure, ApiResponse>> = {
  missing: errorResponse(401, "A credential is needed: an API key in x-api-key, or Authorization: Bearer.", {
    "WWW-Authenticate": CHALLENGE,
  }),
  ambiguous: errorResponse(400, ["x-api-key and Authorization must not be sent together"], {
    "WWW-Authenticate": `${CHALLENGE}, error="invalid_request"`,
  }),
  invalid_key: errorResponse(401, "The API key is not valid.", { "WWW-Authenticate": CHALLENGE }),
  invalid_token: errorResponse(401, "The access token is not valid or has expired.", {
    "WWW-Authenticate": `${CHALLENGE}, error="invalid_token"`,
  }),
};

/** RFC 6750 §3. */
export function authenticationError(failure: AuthenticationFailure): ApiResponse {
  return AUTHENTICATION_ERRORS[failure];
}

export const ACCOUNT_SUSPENDED: ApiResponse = errorResponse(403, "The account is suspended.");

/** RFC 6750 §3.1: says what would be enough. */
export function insufficientScope(scope: Scope): ApiResponse {
  return errorResponse(403, `The credential lacks the scope ${scope}.`, {
    "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
  });
}
