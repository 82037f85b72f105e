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
 * What every service has that runs apart: MongoDB, with the state in it.
 * @param servers further servers the service has opened; all are waited for.
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

/**
 * What every service has that answers a part of the public API: Redis and the read models, too.
 * @param headWith tells the position of the log's last event; is given the key that other services trust.
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
