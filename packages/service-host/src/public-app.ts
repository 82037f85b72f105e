import { type ErrorCode, operations } from "@travel-booking/api-contract";
import { DiskFull } from "@travel-booking/engines/disk-space";
import type { RateCounter } from "@travel-booking/engines/rate-counter";
import type { StateStore } from "@travel-booking/engines/state-store";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import {
  AccessTokens,
  AddressRateLimiter,
  type ApiResponse,
  type AppOptions,
  ClientAddressResolver,
  createApp,
  createAuthenticator,
  RateLimiter,
  tokenEndpoint,
  unavailable,
} from "@travel-booking/http";
import { type CredentialDirectory, noteUses } from "@travel-booking/read-models";
import { type Clock, deriveKeys, type Settings, TextSealer } from "@travel-booking/runtime";
import type { SecretKeys } from "./secret-key.ts";

/** What the rate limits count in. Two, because a full counter forgets: failed attempts must not evict customers. */
export interface LimitCounters {
  readonly credentials: RateCounter;
  readonly addresses: RateCounter;
}

export interface PublicAppOptions
  extends Omit<
    AppOptions,
    "allOperations" | "authenticator" | "rateLimiter" | "addressRateLimiter" | "responseSealer" | "mapError" | "noteUse"
  > {
  readonly settings: Pick<Settings, "rateLimitPerMinute" | "trustedProxies">;
  readonly keys: SecretKeys;
  readonly directory: CredentialDirectory;
  readonly counters: LimitCounters;
  readonly state: Pick<StateStore, "put">;
  readonly clock: Clock;
  /** Whether this service issues access tokens. */
  readonly issuesTokens: boolean;
}

/** The public API, or the part of it that one service answers. */
export function publicApp({
  settings,
  keys,
  directory,
  state,
  clock,
  counters,
  issuesTokens,
  ...app
}: PublicAppOptions) {
  const { secretKey, trustedKey, keyInUse } = keys;
  const tokens = new AccessTokens({ keys: deriveKeys(trustedKey, "access-tokens"), keyInUse, clock });
  const perMinute = settings.rateLimitPerMinute;
  const rateLimiter = new RateLimiter({ perMinute, counter: counters.credentials, clock });
  const addressRateLimiter = new AddressRateLimiter(
    new RateLimiter({ perMinute, counter: counters.addresses, clock }),
    new ClientAddressResolver(settings.trustedProxies),
  );
  const tokenRoutes = issuesTokens ? [tokenEndpoint({ directory, tokens, rateLimiter, addressRateLimiter })] : [];
  return createApp({
    ...app,
    noteUse: noteUses(state, clock),
    routes: [...app.routes, ...tokenRoutes],
    allOperations: operations,
    responseSealer: new TextSealer(deriveKeys(secretKey, "kept-answers")),
    authenticator: createAuthenticator({ directory, tokens }),
    rateLimiter,
    addressRateLimiter,
    mapError: unavailableResponse,
  });
}

/**
 * Records write positions, and where that fails answers the command only once every read model shows the write: then
 * readers need no position, and a client still reads its own writes.
 */
export function withProjectionFallback(
  positions: WritePositions,
  waitUntilShown: (position: bigint) => Promise<void>,
): WritePositions {
  return {
    positionOf: (credentialId) => positions.positionOf(credentialId),
    forgetAll: () => positions.forgetAll(),
    async record(credentialId, position) {
      try {
        await positions.record(credentialId, position);
      } catch {
        await waitUntilShown(position);
      }
    },
  };
}

type Reason = readonly [code: ErrorCode<503>, message: string];

/** An error that says for itself what is unavailable. By a getter: what errors own is logged. */
interface SaysReason extends Error {
  readonly unavailable: Reason;
}

/**
 * 503 for errors that are not the client's and may be gone in a moment (docs/rules.md#failures); undefined for all
 * others, and where the request may have taken effect.
 */
export function unavailableResponse(error: unknown): ApiResponse | undefined {
  const reason = reasonFor(error);
  return reason && unavailable(...reason);
}

/** The message of such a 503. */
export function unavailableReason(error: unknown): string | undefined {
  return reasonFor(error)?.[1];
}

function reasonFor(error: unknown): Reason | undefined {
  if (error instanceof EngineUnavailable) {
    if (error.outcomeUnknown) return undefined;
    return error.cause instanceof DiskFull
      ? ["disk_full", error.cause.message]
      : ["out_of_reach", `${error.engine} is out of reach`];
  }
  return error instanceof Error && "unavailable" in error ? (error as SaysReason).unavailable : undefined;
}
