import { type ErrorCode, operations } from "@travel-booking/api-contract";
import { DiskFull } from "@travel-booking/engines/disk-space";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import {
  AccessTokens,
  AddressRateLimiter,
  type ApiResponse,
  ClientAddressResolver,
  createApp,
  createAuthenticator,
  Idempotency,
  RateLimiter,
  tokenEndpoint,
  unavailable,
} from "@travel-booking/http";
import { credentialDirectory, noteUses } from "@travel-booking/read-models";
import { deriveKeys, TextSealer } from "@travel-booking/runtime";
import type { ApiCore, Part } from "./core.ts";
import type { ServiceContext } from "./run-service.ts";

/** The part of the public API that a process answers. */
export function publicApp({ settings, logger }: ServiceContext, core: ApiCore, part: Part) {
  const { state, models, clock, ids: commandIds, instance, counters } = core;
  const { secretKey, trustedKey, keyInUse } = core.secretKeys;
  const directory = credentialDirectory(models, core.refreshCount);
  const tokens = new AccessTokens({ keys: deriveKeys(trustedKey, "access-tokens"), keyInUse, clock });
  const perMinute = settings.rateLimitPerMinute;
  const rateLimiter = new RateLimiter({ perMinute, counter: counters.credentials, clock });
  const addressRateLimiter = new AddressRateLimiter(
    new RateLimiter({ perMinute, counter: counters.addresses, clock }),
    new ClientAddressResolver(settings.trustedProxies),
  );
  const { routes = [], issuesTokens } = part;
  const tokenRoutes = issuesTokens ? [tokenEndpoint({ directory, tokens, rateLimiter, addressRateLimiter })] : [];
  return createApp({
    ...core,
    ...part,
    logger,
    commandIds,
    noteUse: noteUses(state, clock),
    routes: [...routes, ...tokenRoutes],
    allOperations: operations,
    responseSealer: new TextSealer(deriveKeys(secretKey, "kept-answers")),
    idempotency: new Idempotency({ store: state, clock, commandIds, holder: instance?.id ?? null }),
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
