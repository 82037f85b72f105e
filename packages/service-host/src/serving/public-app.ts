import { operations } from "@travel-booking/api-contract";
import type { RateCounter } from "@travel-booking/engines/rate-counter";
import {
  AccessTokens,
  AddressLimit,
  type AppOptions,
  ClientAddresses,
  createApp,
  createAuthenticator,
  RateLimiter,
  type Route,
  tokenEndpoint,
} from "@travel-booking/http";
import type { CredentialDirectory } from "@travel-booking/read-models";
import { type Clock, deriveKey, SealedTexts, type Settings } from "@travel-booking/runtime";
import { unavailableAnswer } from "./unavailable-answer.ts";

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
    | "pages"
    | "calls"
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
  const addressLimit = new AddressLimit(addressLimiter, new ClientAddresses(settings.trustedProxies));
  const issuing: readonly Route[] = issuesTokens
    ? [tokenEndpoint({ directory, tokens, rateLimiter, addressLimit })]
    : [];
  return createApp({
    ...rest,
    routes: [...options.routes, ...issuing],
    allOperations: operations,
    sealedAnswers: new SealedTexts(deriveKey(secretKey, "kept-answers")),
    authenticator: createAuthenticator({ directory, tokens }),
    rateLimiter,
    addressLimit,
    mapError: unavailableAnswer,
  });
}
