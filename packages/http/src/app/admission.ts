import { ACCOUNT_SUSPENDED, authenticationRefused } from "../auth/refusals.ts";
import { tooManyRequests } from "../limits/rate-headers.ts";
import type { ApiResponse } from "../route.ts";
import { API_VERSIONS } from "./api-version.ts";
import type { AppOptions } from "./app-options.ts";
import type { Exchange } from "./exchange.ts";

export type AdmissionOptions = Pick<AppOptions, "authenticator" | "rateLimiter" | "addressLimit">;

/**
 * Finds out who is asking, and whether they may ask now: authentication, rate limit, suspension. A valid credential
 * is counted before anything else is said, so every answer it gets carries the rate-limit headers. Undefined: admitted.
 */
export async function admit(exchange: Exchange, options: AdmissionOptions): Promise<ApiResponse | undefined> {
  const { headers } = exchange.request;
  let authentication = options.authenticator.authenticate(headers);
  if (authentication instanceof Promise) authentication = await authentication;
  if (typeof authentication === "string") {
    // Whoever sent no credential at all has not tried to guess one.
    if (authentication === "invalid_key" || authentication === "invalid_token") {
      const failures = await options.addressLimit.count(exchange.request);
      if (failures?.exceeded) {
        exchange.rate = failures;
        return tooManyRequests(failures);
      }
    }
    return authenticationRefused(authentication);
  }
  const { credential, scopes } = authentication;
  const { accountId, credentialId } = credential;
  const asked = headers["service-version"];
  const apiVersion = typeof asked === "string" ? asked : credential.apiVersion;
  if (API_VERSIONS.includes(apiVersion)) exchange.apiVersion = apiVersion;
  exchange.caller = { accountId, credentialId, scopes, apiVersion };
  let rate = options.rateLimiter.count(credentialId);
  if (rate instanceof Promise) rate = await rate;
  exchange.rate = rate;
  if (!credential.accountActive) return ACCOUNT_SUSPENDED;
  return rate?.exceeded ? tooManyRequests(rate) : undefined;
}
