import type { Scope } from "@travel-booking/domain";
import {
  ACCOUNT_SUSPENDED,
  AUTHENTICATION_ERRORS,
  type AuthenticationFailure,
  insufficientScope,
} from "../auth/authenticator.ts";
import { tooManyRequests } from "../rate-limit.ts";
import type { ApiResponse } from "../route.ts";
import { recognise } from "../strangers.ts";
import type { AppOptions } from "./app-options.ts";
import type { HttpExchange } from "./http-exchange.ts";

type AdmissionOptions = Pick<AppOptions, "authenticator" | "noteUse" | "rateLimiter" | "addressRateLimiter">;

const CREDENTIALS: ReadonlySet<string> = new Set(["authorization", "x-api-key"]);

type Refusal = ApiResponse | undefined;

/**
 * Authenticates the client and applies its rate limit; undefined if the request may go on. A valid credential is counted
 * before anything else, so every response to it has the rate-limit headers.
 */
export async function admit(exchange: HttpExchange, options: AdmissionOptions): Promise<Refusal> {
  const authentication = exchange.repeatedHeaders.some((name) => CREDENTIALS.has(name))
    ? "ambiguous"
    : await options.authenticator.authenticate(exchange.request.headers);
  if (typeof authentication === "string") return rejectUnauthenticated(exchange, options, authentication);
  recognise(exchange.request.socket);
  const { credential, scopes } = authentication;
  const { accountId, credentialId } = credential;
  const requested = exchange.request.headers["service-version"];
  const apiVersion = typeof requested === "string" ? requested : credential.apiVersion;
  exchange.apiVersion ??= credential.apiVersion;
  exchange.caller = { accountId, credentialId, scopes, apiVersion };
  options.noteUse?.(credentialId);
  const rate = await options.rateLimiter.count(credentialId);
  exchange.rate = rate;
  if (!credential.accountActive) return ACCOUNT_SUSPENDED;
  return rate?.exceeded ? tooManyRequests(rate) : undefined;
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

async function rejectUnauthenticated(
  exchange: HttpExchange,
  options: AdmissionOptions,
  failure: AuthenticationFailure,
): Promise<ApiResponse> {
  // Requests without any credential are no attempts to guess one.
  const isAttempt = failure !== "missing" && failure !== "ambiguous";
  return (isAttempt ? await countStranger(exchange, options) : undefined) ?? AUTHENTICATION_ERRORS[failure];
}

/** Counts a request without a valid credential for its address; undefined if it may go on. */
export async function countStranger(
  exchange: HttpExchange,
  { addressRateLimiter }: Pick<AdmissionOptions, "addressRateLimiter">,
): Promise<Refusal> {
  const rate = await addressRateLimiter.count(exchange.request);
  if (!rate?.exceeded) return undefined;
  exchange.rate = rate;
  return tooManyRequests(rate);
}
