import { operations } from "@travel-booking/api-contract";
import type { RateCounter } from "@travel-booking/engines/rate-counter";
import {
  AccessTokens,
  AddressRateLimiter,
  type AppOptions,
  ClientAddressResolver,
  createApp,
  createAuthenticator,
  RateLimiter,
  type Route,
  tokenEndpoint,
} from "@travel-booking/http";
import type { CredentialDirectory } from "@travel-booking/read-models";
import { type Clock, deriveKey, type Settings, TextSealer } from "@travel-booking/runtime";
import { unavailableResponse } from "./unavailable-response.ts";

/** What the limits count in. Apart, where one that is full forgets: nobody's failed attempts push out a customer. */
export interface LimitCounters {
  readonly credentials: RateCounter;
  readonly addresses: RateCounter;
}

export interface PublicAppOptions
  extends Pick<
    AppOptions,
    | "routes"
    | "commandIds"
    | "logger"
    | "metrics"
    | "positions"
    | "progress"
    | "readiness"
    | "lifecycle"
    | "idempotency"
    | "plainRoutes"
  > {
  readonly settings: Pick<Settings, "rateLimitPerMinute" | "trustedProxies">;
  readonly secretKey: string;
  readonly directory: CredentialDirectory;
  readonly counters: LimitCounters;
  readonly clock: Clock;
  /** Whether this service issues access tokens. */
  readonly issuesTokens: boolean;
}

/** The public API, or the part of it that one service answers. */
export function publicApp(options: PublicAppOptions) {
  const { settings, secretKey, directory, clock, counters, issuesTokens, ...rest } = options;
  const tokens = new AccessTokens({ key: deriveKey(secretKey, "access-tokens"), clock });
  const perMinute = settings.rateLimitPerMinute;
  const rateLimiter = new RateLimiter({ perMinute, counter: counters.credentials, clock });
  const addressLimiter = new RateLimiter({ perMinute, counter: counters.addresses, clock });
  const addressLimit = new AddressRateLimiter(addressLimiter, new ClientAddressResolver(settings.trustedProxies));
  const issuing: readonly Route[] = issuesTokens
    ? [tokenEndpoint({ directory, tokens, rateLimiter, addressRateLimiter: addressLimit })]
    : [];
  return createApp({
    ...rest,
    routes: [...options.routes, ...issuing],
    allOperations: operations,
    responseSealer: new TextSealer(deriveKey(secretKey, "kept-answers")),
    authenticator: createAuthenticator({ directory, tokens }),
    rateLimiter,
    addressRateLimiter: addressLimit,
    mapError: unavailableResponse,
  });
}
