import type { Scope } from "@travel-booking/domain";
import type { CredentialRecord } from "@travel-booking/read-models";
import {
  ACCOUNT_SUSPENDED,
  type Authentication,
  type AuthenticationFailure,
  authenticationError,
  insufficientScope,
} from "../auth/authenticator.ts";
import { type RateStatus, tooManyRequests } from "../rate-limit.ts";
import type { ApiResponse } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import type { HttpExchange } from "./http-exchange.ts";

export type AdmissionOptions = Pick<AppOptions, "authenticator" | "rateLimiter" | "addressRateLimiter">;

type Refusal = ApiResponse | undefined;

/**
 * Finds out who is asking, and whether they may ask now: authentication, rate limit, suspension. A valid credential
 * is counted before anything else is said, so every answer it gets carries the rate-limit headers. Undefined: admitted.
 * Answers at once where nothing has to be waited for: this is on the path of every request.
 */
export function admit(exchange: HttpExchange, options: AdmissionOptions): Refusal | Promise<Refusal> {
  const authentication = options.authenticator.authenticate(exchange.request.headers);
  return authentication instanceof Promise
    ? authentication.then((known) => admitAuthenticated(exchange, options, known))
    : admitAuthenticated(exchange, options, authentication);
}

/** Finds out whether who was admitted may still be answered: a revocation counts from when it was made. Not counted again. */
export async function recheckAdmission(
  exchange: HttpExchange,
  { authenticator }: Pick<AdmissionOptions, "authenticator">,
  scope: Scope | null,
): Promise<ApiResponse | undefined> {
  const authentication = await authenticator.authenticate(exchange.request.headers);
  if (typeof authentication === "string") return authenticationError(authentication);
  if (!authentication.credential.accountActive) return ACCOUNT_SUSPENDED;
  return scope === null || authentication.scopes.has(scope) ? undefined : insufficientScope(scope);
}

function admitAuthenticated(
  exchange: HttpExchange,
  options: AdmissionOptions,
  authentication: Authentication,
): Refusal | Promise<Refusal> {
  if (typeof authentication === "string") return rejectUnauthenticated(exchange, options, authentication);
  const { credential, scopes } = authentication;
  const { accountId, credentialId } = credential;
  const asked = exchange.request.headers["service-version"];
  const apiVersion = typeof asked === "string" ? asked : credential.apiVersion;
  exchange.apiVersion ??= credential.apiVersion;
  exchange.caller = { accountId, credentialId, scopes, apiVersion };
  const rate = options.rateLimiter.count(credentialId);
  return rate instanceof Promise
    ? rate.then((counted) => applyRateLimit(exchange, credential, counted))
    : applyRateLimit(exchange, credential, rate);
}

function applyRateLimit(exchange: HttpExchange, credential: CredentialRecord, rate: RateStatus | undefined): Refusal {
  exchange.rate = rate;
  if (!credential.accountActive) return ACCOUNT_SUSPENDED;
  return rate?.exceeded ? tooManyRequests(rate) : undefined;
}

async function rejectUnauthenticated(
  exchange: HttpExchange,
  { addressRateLimiter }: AdmissionOptions,
  failure: AuthenticationFailure,
): Promise<ApiResponse> {
  // Whoever sent no credential at all has not tried to guess one.
  if (failure === "invalid_key" || failure === "invalid_token") {
    const failures = await addressRateLimiter.count(exchange.request);
    if (failures?.exceeded) {
      exchange.rate = failures;
      return tooManyRequests(failures);
    }
  }
  return authenticationError(failure);
}
