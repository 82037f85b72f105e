import type { Scope } from "@travel-booking/domain";
import type { CredentialRecord } from "@travel-booking/read-models";
import {
  ACCOUNT_SUSPENDED,
  AUTHENTICATION_ERRORS,
  type Authentication,
  type AuthenticationFailure,
  insufficientScope,
} from "../auth/authenticator.ts";
import { tooManyRequests } from "../rate-limit.ts";
import type { ApiResponse, RateStatus } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import type { HttpExchange } from "./http-exchange.ts";

type AdmissionOptions = Pick<AppOptions, "authenticator" | "rateLimiter" | "addressRateLimiter">;

type Refusal = ApiResponse | undefined;

/**
 * Authenticates the client and applies its rate limit; undefined if the request may go on. A valid credential is counted
 * before anything else, so every response to it has the rate-limit headers.
 *
 * Credential and rate limit are usually known at once, and each `await` delays every request. So this and the functions
 * below return a promise only if they got one.
 */
export function admit(exchange: HttpExchange, options: AdmissionOptions): Refusal | Promise<Refusal> {
  const authentication = options.authenticator.authenticate(exchange.request.headers);
  return authentication instanceof Promise
    ? authentication.then((known) => admitAuthenticated(exchange, options, known))
    : admitAuthenticated(exchange, options, authentication);
}

/** Checks after a long wait that the client still may have the response. Does not count the request again. */
export async function recheckAdmission(
  exchange: HttpExchange,
  { authenticator }: Pick<AdmissionOptions, "authenticator">,
  scope: Scope | null,
): Promise<Refusal> {
  const authentication = await authenticator.authenticate(exchange.request.headers);
  if (typeof authentication === "string") return AUTHENTICATION_ERRORS[authentication];
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
  const requested = exchange.request.headers["service-version"];
  const apiVersion = typeof requested === "string" ? requested : credential.apiVersion;
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
  // Requests without any credential are no attempts to guess one.
  if (failure === "invalid_key" || failure === "invalid_token") {
    const failures = await addressRateLimiter.count(exchange.request);
    if (failures?.exceeded) {
      exchange.rate = failures;
      return tooManyRequests(failures);
    }
  }
  return AUTHENTICATION_ERRORS[failure];
}
