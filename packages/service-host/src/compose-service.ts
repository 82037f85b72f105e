import { newInstance } from "@travel-booking/engines/leases";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { MongoProgress } from "@travel-booking/engines/read-store/mongodb";
import { openRedis } from "@travel-booking/engines/redis";
import type { StateStore } from "@travel-booking/engines/state-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import { PROJECTION_NAMES, PROJECTION_VERSIONS, type ProjectionProgress } from "@travel-booking/read-models";
import { RemoteProjectorControl } from "@travel-booking/read-models/control";
import { OpenedReadModels } from "@travel-booking/read-models/sealed-words";
import { engineLog, type SecretKey } from "@travel-booking/runtime";
import { openCore } from "./core.ts";
import type { ServiceContext } from "./run-service.ts";
import type { ServerConnections } from "./server-connections.ts";
import type { SettingsWith } from "./settings.ts";

/**
 * Opens what every distributed service has: MongoDB, with the state in it.
 * @param servers may have further servers that the service opened. All are waited for.
 * @throws StartupError a server does not answer, or the secret key is another one.
 */
export async function openSharedCore(
  host: ServiceContext,
  settings: SettingsWith<"mongodbUrl" | "secretKey">,
  servers: ServerConnections,
) {
  const mongo = servers.open("MongoDB", (options) => openMongo(settings.mongodbUrl, options));
  await servers.waitUntilReachable();
  const state = openMongoStateStore(mongo);
  const instance = newInstance(state);
  return { ...(await openCore(host, { state, keys: state, instance }, settings)), instance, mongo };
}

/** Follows how far the read models in MongoDB are. Other processes may write them. */
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

/** Controls projectors in other processes for operators. `head` returns the position of the log's last event. */
export function sharedProjectorControl(state: StateStore, progress: ProjectionProgress, head: () => Promise<bigint>) {
  return new RemoteProjectorControl({
    state,
    projections: PROJECTION_NAMES,
    head,
    positionOf: (projection) => progress.positionOf(projection),
  });
}

/**
 * Opens what every service of the public API has: also Redis and the read models.
 * @param headWith takes the key that other services trust. Its result returns the position of the log's last event.
 */
export async function openSharedApiCore(
  host: ServiceContext,
  settings: SettingsWith<"mongodbUrl" | "redisUrl" | "secretKey">,
  servers: ServerConnections,
  headWith: (trustedKey: SecretKey) => () => Promise<bigint>,
) {
  const redis = servers.open("Redis", (options) => openRedis(settings.redisUrl, options));
  const core = await openSharedCore(host, settings, servers);
  const progress = await followReadModels(host, core.mongo);
  const models = new OpenedReadModels(progress.models, core.words);
  const limits = new RedisRateCounter(redis);
  const counters = { credentials: limits, addresses: limits };
  const head = headWith(core.secretKeys.trustedKey);
  const positions = new RedisWritePositions(redis, head);
  const readiness = { store: servers.readiness, starting: builtProjections(progress) };
  return { ...core, redis, progress, models, counters, head, positions, readiness };
}
