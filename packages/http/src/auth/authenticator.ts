import type { IncomingHttpHeaders } from "node:http";
import type { Scope } from "@travel-booking/domain";
import type { CredentialDirectory, CredentialRecord } from "@travel-booking/read-models";
import { errorResponse } from "../error-response.ts";
import type { ApiResponse } from "../route.ts";
import type { AccessTokens, TokenClaims } from "./access-tokens.ts";
import { hashSecret, looksLikeApiKey } from "./secret.ts";

/** A valid credential. Its scopes, and whether its account is suspended, are still to be checked. */
interface Authenticated {
  readonly credential: CredentialRecord;
  /** Of a token: only scopes that its client has. */
  readonly scopes: ReadonlySet<Scope>;
}

/** Why there is no valid credential. `ambiguous`: two were sent, which is a malformed request (RFC 6750 §3.1). */
export type AuthenticationFailure = "missing" | "ambiguous" | "key_as_bearer" | "invalid_key" | "invalid_token";

export type Authentication = Authenticated | AuthenticationFailure;

export interface Authenticator {
  authenticate(headers: IncomingHttpHeaders): Promise<Authentication>;
}

interface AuthenticatorOptions {
  readonly directory: CredentialDirectory;
  readonly tokens: AccessTokens;
}

/** RFC 6750 §2.1; the scheme's case does not matter (RFC 9110 §11.1). */
const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Authenticates by `x-api-key` or by `Authorization: Bearer`. Looks the credential up every time, so a revocation is
 * effective from the next request on.
 */
export function createAuthenticator({ directory, tokens }: AuthenticatorOptions): Authenticator {
  return {
    async authenticate(headers) {
      const apiKey = headers["x-api-key"];
      const { authorization } = headers;
      if (apiKey !== undefined) {
        if (authorization !== undefined) return "ambiguous";
        if (typeof apiKey !== "string" || !looksLikeApiKey(apiKey)) return "invalid_key";
        return ofApiKey(await directory.byApiKeyHash(hashSecret(apiKey)));
      }
      if (authorization === undefined) return "missing";
      const token = BEARER.exec(authorization)?.[1];
      if (token !== undefined && looksLikeApiKey(token)) return "key_as_bearer";
      const claims = token === undefined ? undefined : await tokens.verify(token);
      return claims === undefined ? "invalid_token" : ofClient(await directory.byClientId(claims.clientId), claims);
    },
  };
}

function ofApiKey(credential: CredentialRecord | undefined): Authentication {
  if (credential === undefined || !credential.credentialActive) return "invalid_key";
  return { credential, scopes: credential.scopes };
}

function ofClient(credential: CredentialRecord | undefined, claims: TokenClaims): Authentication {
  if (credential === undefined || !credential.credentialActive) return "invalid_token";
  const scopes = new Set<Scope>();
  for (const scope of credential.scopes) if (claims.scopes.includes(scope)) scopes.add(scope);
  return { credential, scopes };
}

const CHALLENGE = 'Bearer realm="travel-booking-service"';

/** RFC 6750 §3. */
export const AUTHENTICATION_ERRORS: Readonly<Record<AuthenticationFailure, ApiResponse>> = {
  missing: errorResponse(
    401,
    "credential_missing",
    "A credential is needed: an API key in x-api-key, or Authorization: Bearer.",
    {
      "WWW-Authenticate": CHALLENGE,
    },
  ),
  ambiguous: errorResponse(
    400,
    "ambiguous_credentials",
    ["x-api-key or Authorization must be sent, one of them and once"],
    {
      "WWW-Authenticate": `${CHALLENGE}, error="invalid_request"`,
    },
  ),
  key_as_bearer: errorResponse(
    401,
    "api_key_as_bearer",
    "An API key is sent as x-api-key, not as Authorization: Bearer.",
    {
      "WWW-Authenticate": `${CHALLENGE}, error="invalid_token"`,
    },
  ),
  invalid_key: errorResponse(401, "invalid_api_key", "The API key is not valid.", { "WWW-Authenticate": CHALLENGE }),
  invalid_token: errorResponse(401, "invalid_access_token", "The access token is not valid or has expired.", {
    "WWW-Authenticate": `${CHALLENGE}, error="invalid_token"`,
  }),
};

export const ACCOUNT_SUSPENDED: ApiResponse = errorResponse(403, "account_suspended", "The account is suspended.");

/** RFC 6750 §3.1: names the scope that is needed. */
export function insufficientScope(scope: Scope): ApiResponse {
  return errorResponse(403, "insufficient_scope", `The credential lacks the scope ${scope}.`, {
    "WWW-Authenticate": `Bearer error="insufficient_scope", scope="${scope}"`,
  });
}
