import { Leases, Presence } from "@travel-booking/engines/leases";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { MongoProgress } from "@travel-booking/engines/read-store/mongodb";
import { openRedis } from "@travel-booking/engines/redis";
import type { StateStore } from "@travel-booking/engines/state-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import { Idempotency, type Lifecycle } from "@travel-booking/http";
import {
  credentialDirectory,
  PROJECTION_NAMES,
  PROJECTION_VERSIONS,
  type ProjectionProgress,
} from "@travel-booking/read-models";
import { RemoteProjectorControl } from "@travel-booking/read-models/control";
import { OpenedReadModels, SealedWords } from "@travel-booking/read-models/sealed-words";
import { commandIdGenerator, engineLog, Metrics } from "@travel-booking/runtime";
import { type PublicAppOptions, publicApp } from "./public-app.ts";
import type { ServiceContext } from "./run-service.ts";
import { openSecretKeys } from "./secret-key.ts";
import type { ServerConnections } from "./server-connections.ts";
import type { SettingsWith } from "./settings.ts";
import { openClock } from "./shared-state.ts";

/**
 * What every distributed service has: MongoDB, the state in it with clock and keys, leases and metrics.
 * @param servers further servers the service has opened; all are waited for.
 * @throws StartupError a server does not answer, or the secret key is another one.
 */
export async function composeService(
  host: ServiceContext,
  settings: SettingsWith<"mongodbUrl" | "secretKey">,
  servers: ServerConnections,
) {
  const mongo = servers.open("MongoDB", (options) => openMongo(settings.mongodbUrl, options));
  await servers.waitUntilReachable();
  const state = openMongoStateStore(mongo);
  const clock = await openClock(state, host.machineClock);
  const keys = await openSecretKeys(settings, { state, clock, unusual: host.unusual });
  const presence = new Presence(state);
  const instanceId = presence.instance;
  const metrics = new Metrics();
  metrics.collectProcess();
  return { mongo, state, clock, keys, instanceId, presence, leases: new Leases(state, instanceId), metrics };
}

/** The read models in MongoDB that other processes may write, and how far they are. */
export async function followReadModels({ logger, shutdown }: ServiceContext, mongo: MongoConnection) {
  const onProblem = engineLog(logger, "MongoDB").onProblem;
  const progress = new MongoProgress(mongo, { onProblem, versions: PROJECTION_VERSIONS });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  return progress;
}

/** Ready once this release can read every projection. */
export function builtProjections(progress: MongoProgress) {
  return Object.fromEntries(PROJECTION_NAMES.map((name) => [`projection ${name}`, () => progress.isBuilt(name)]));
}

/** Operators reach projectors that run elsewhere through this. `head` answers the position of the log's last event. */
export function sharedProjectorControl(state: StateStore, progress: ProjectionProgress, head: () => Promise<bigint>) {
  return new RemoteProjectorControl({
    state,
    projections: PROJECTION_NAMES,
    head,
    positionOf: (projection) => progress.positionOf(projection),
  });
}

type ApiOptions = Pick<PublicAppOptions, "routes" | "positions" | "issuesTokens" | "plainRoutes" | "refuseWrite">;

/** What every distributed service has that answers a part of the public API: Redis, the clock and the read models, too. */
export async function composeApiService(
  host: ServiceContext,
  settings: SettingsWith<"mongodbUrl" | "redisUrl" | "secretKey">,
  servers: ServerConnections,
) {
  const { logger } = host;
  const redis = servers.open("Redis", (options) => openRedis(settings.redisUrl, options));
  const service = await composeService(host, settings, servers);
  const { mongo, state, clock, keys, instanceId, metrics } = service;
  const progress = await followReadModels(host, mongo);
  const ids = commandIdGenerator(clock);
  const lifecycle: Lifecycle = { stopping: false };
  const limits = new RedisRateCounter(redis);
  const words = new SealedWords({ state, secretKey: keys.secretKey, shared: true });
  const models = new OpenedReadModels(progress.models, words);
  const readiness = { store: servers.readiness, starting: builtProjections(progress) };
  return {
    ...service,
    words,
    redis,
    health: { readiness, lifecycle },
    progress,
    models,
    ids,
    /** Positions of writes; `head` answers the position of the log's last event. */
    writePositions: (head: () => Promise<bigint>) => new RedisWritePositions(redis, head),
    publicApp: (api: ApiOptions) =>
      publicApp({
        ...api,
        settings,
        keys,
        words,
        state,
        directory: credentialDirectory(models),
        counters: { credentials: limits, addresses: limits },
        progress,
        idempotency: new Idempotency({
          store: state,
          clock,
          commandIds: ids,
          singleProcess: false,
          holder: instanceId,
        }),
        clock,
        commandIds: ids,
        logger,
        metrics,
        lifecycle,
        readiness,
      }),
  };
}
