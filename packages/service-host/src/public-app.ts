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

/** The app for the part of the public API that a process serves. */
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
    corsOrigins: new Set(settings.corsOrigins),
    mapError: unavailableResponse,
  });
}

/**
 * Records write positions. If that fails, the command is answered only when every read model shows the write. So a
 * client reads its own writes even without a position.
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

/** An error that says itself what is unavailable. It is a getter, because own fields of errors are logged. */
interface SaysReason extends Error {
  readonly unavailable: Reason;
}

/**
 * A 503 for errors that the client did not cause and that may soon be over (docs/rules.md#failures). Undefined for all
 * others, and if the request may have taken effect.
 */
export function unavailableResponse(error: unknown): ApiResponse | undefined {
  const reason = reasonFor(error);
  return reason && unavailable(...reason);
}

/** The message of `unavailableResponse`. */
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
