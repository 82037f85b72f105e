import type { Scope } from "@travel-booking/domain";
import type { CredentialRecord } from "@travel-booking/read-models";
import type { Authentication, AuthenticationFailure } from "../auth/authenticator.ts";
import { ACCOUNT_SUSPENDED, authenticationRefused, scopeLacking } from "../auth/refusals.ts";
import { tooManyRequests } from "../limits/rate-headers.ts";
import type { RateStatus } from "../limits/rate-limiter.ts";
import type { ApiResponse } from "../route.ts";
import type { AppOptions } from "./app-options.ts";
import type { Exchange } from "./exchange.ts";

export type AdmissionOptions = Pick<AppOptions, "authenticator" | "rateLimiter" | "addressLimit">;

type Refusal = ApiResponse | undefined;

/**
 * Finds out who is asking, and whether they may ask now: authentication, rate limit, suspension. A valid credential
 * is counted before anything else is said, so every answer it gets carries the rate-limit headers. Undefined: admitted.
 * Answers at once where nothing has to be waited for: this is on the path of every request.
 */
export function admit(exchange: Exchange, options: AdmissionOptions): Refusal | Promise<Refusal> {
  const authentication = options.authenticator.authenticate(exchange.request.headers);
  return authentication instanceof Promise
    ? authentication.then((known) => admitKnown(exchange, options, known))
    : admitKnown(exchange, options, authentication);
}

/** Finds out whether who was admitted may still be answered: a revocation counts from when it was made. Not counted again. */
export async function admitStill(
  exchange: Exchange,
  { authenticator }: Pick<AdmissionOptions, "authenticator">,
  scope: Scope | null,
): Promise<ApiResponse | undefined> {
  const authentication = await authenticator.authenticate(exchange.request.headers);
  if (typeof authentication === "string") return authenticationRefused(authentication);
  if (!authentication.credential.accountActive) return ACCOUNT_SUSPENDED;
  return scope === null || authentication.scopes.has(scope) ? undefined : scopeLacking(scope);
}

function admitKnown(
  exchange: Exchange,
  options: AdmissionOptions,
  authentication: Authentication,
): Refusal | Promise<Refusal> {
  if (typeof authentication === "string") return refuse(exchange, options, authentication);
  const { credential, scopes } = authentication;
  const { accountId, credentialId } = credential;
  const asked = exchange.request.headers["service-version"];
  const apiVersion = typeof asked === "string" ? asked : credential.apiVersion;
  exchange.apiVersion ??= credential.apiVersion;
  exchange.caller = { accountId, credentialId, scopes, apiVersion };
  const rate = options.rateLimiter.count(credentialId);
  return rate instanceof Promise
    ? rate.then((counted) => limit(exchange, credential, counted))
    : limit(exchange, credential, rate);
}

function limit(exchange: Exchange, credential: CredentialRecord, rate: RateStatus | undefined): Refusal {
  exchange.rate = rate;
  if (!credential.accountActive) return ACCOUNT_SUSPENDED;
  return rate?.exceeded ? tooManyRequests(rate) : undefined;
}

async function refuse(
  exchange: Exchange,
  { addressLimit }: AdmissionOptions,
  failure: AuthenticationFailure,
): Promise<ApiResponse> {
  // Whoever sent no credential at all has not tried to guess one.
  if (failure === "invalid_key" || failure === "invalid_token") {
    const failures = await addressLimit.count(exchange.request);
    if (failures?.exceeded) {
      exchange.rate = failures;
      return tooManyRequests(failures);
    }
  }
  return authenticationRefused(failure);
}
