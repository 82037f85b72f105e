import { operations } from "@travel-booking/api-contract";
import { EventStoreUnavailable } from "@travel-booking/event-store";
import {
  AccessTokens,
  AddressLimit,
  type ApiResponse,
  ClientAddresses,
  type CredentialDirectory,
  createApp,
  createAuthenticator,
  Idempotency,
  type Lifecycle,
  MemoryRateCounter,
  MemoryWritePositions,
  type ProjectionProgress,
  RateLimiter,
  type ReadinessCheck,
  type Route,
  tokenEndpoint,
  unavailable,
} from "@travel-booking/http";
import {
  type Clock,
  type CommandIds,
  deriveKey,
  type Logger,
  type Metrics,
  type Settings,
} from "@travel-booking/runtime";
import type { StateStore } from "@travel-booking/state-store";

export interface PublicAppOptions {
  readonly settings: Settings;
  readonly secretKey: string;
  readonly routes: readonly Route[];
  readonly directory: CredentialDirectory;
  readonly progress: ProjectionProgress;
  readonly state: StateStore;
  readonly clock: Clock;
  readonly ids: CommandIds;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly lifecycle: Lifecycle;
  readonly readiness: Readonly<Record<string, ReadinessCheck>>;
}

/** The public API of one process: limits and positions are counted in its memory. */
export function publicApp(options: PublicAppOptions) {
  const { settings, secretKey, directory, clock, state, ids } = options;
  const tokens = new AccessTokens({ key: deriveKey(secretKey, "access-tokens"), clock });
  const limiter = () =>
    new RateLimiter({ perMinute: settings.rateLimitPerMinute, counter: new MemoryRateCounter(), clock });
  const rateLimiter = limiter();
  const addressLimit = new AddressLimit(limiter(), new ClientAddresses(settings.trustedProxies));
  return createApp({
    routes: [...options.routes, tokenEndpoint({ directory, tokens, rateLimiter, addressLimit })],
    allOperations: operations,
    authenticator: createAuthenticator({ directory, tokens }),
    rateLimiter,
    addressLimit,
    commandIds: ids,
    logger: options.logger,
    metrics: options.metrics,
    idempotency: new Idempotency({ store: state, clock, commandIds: ids }),
    positions: new MemoryWritePositions(),
    progress: options.progress,
    readiness: options.readiness,
    lifecycle: options.lifecycle,
    mapError,
  });
}

/** What a handler may fail with that is nobody's mistake and may be different in a moment. */
function mapError(error: unknown): ApiResponse | undefined {
  if (error instanceof EventStoreUnavailable && !error.outcomeUnknown)
    return unavailable("the event store is out of reach");
  if (error instanceof Error && error.name === "StreamBusy")
    return unavailable("too much is changing at once; try again");
  return undefined;
}
