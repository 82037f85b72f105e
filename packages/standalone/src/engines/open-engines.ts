import type { BlobStore } from "@travel-booking/engines/blob-store";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import { openGridFsBlobStore } from "@travel-booking/engines/blob-store/gridfs";
import type { EventStore } from "@travel-booking/engines/event-store";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { type Environment, StorageError } from "@travel-booking/engines/lmdb";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { InMemoryRateCounter } from "@travel-booking/engines/rate-counter/memory";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { openRedis } from "@travel-booking/engines/redis";
import type { StateStore } from "@travel-booking/engines/state-store";
import { openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import { InMemoryWritePositions } from "@travel-booking/engines/write-positions/memory";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import {
  engineProblemLogger,
  isReachable,
  type LimitCounters,
  type RequiredEngine,
  type ServiceContext,
  waitForEngines,
} from "@travel-booking/service-host";
import { dataFolders, type LocalStorage, openLocalStorage } from "./local-storage.ts";

/** The engines of one process, each a server or embedded as the settings say. */
export interface Engines {
  readonly local: LocalStorage;
  /** Undefined where the read models are embedded. */
  readonly mongo: MongoConnection | undefined;
  readonly events: EventStore;
  readonly state: StateStore;
  readonly blobs: BlobStore;
  readonly counters: LimitCounters;
  readonly positions: WritePositions;
  /** What `/health/ready` looks at. */
  readonly readiness: Readonly<Record<string, () => Promise<boolean>>>;
}

/**
 * Opens what the settings name, and waits for servers that are starting, too.
 * @throws StorageFault about the data folder.
 * @throws StartUpFault a server does not answer.
 */
export async function openEngines(host: ServiceContext): Promise<Engines> {
  const { settings, logger, shutdown, fatalErrors } = host;
  const onFatal = fatalErrors.handlerFor("the log can't be written any more");
  const local = openLocalStorage(settings.dataDir, settings);
  shutdown.register("data folder", () => local.close());
  const needed = new Map<string, RequiredEngine>();

  const mongo =
    settings.mongodbUrl === undefined
      ? undefined
      : openMongo(settings.mongodbUrl, { onProblem: engineProblemLogger(logger, "MongoDB") });
  if (mongo !== undefined) {
    shutdown.register("MongoDB", () => mongo.close());
    needed.set("the read store", { variable: "MONGODB_URL", ping: () => mongo.ping() });
  }
  const state = mongo === undefined ? openLmdbStateStore(logOf(local), { onFatal }) : openMongoStateStore(mongo);
  shutdown.register("state store", () => state.close());
  const blobs =
    mongo === undefined ? await openFileBlobStore(dataFolders(settings.dataDir).files) : openGridFsBlobStore(mongo);
  shutdown.register("blob store", () => blobs.close());
  const { events, ping } = openEvents(host, local, onFatal);
  shutdown.register("event store", () => events.close());
  if (ping !== undefined) needed.set("the event store", { variable: "EVENT_STORE_URL", ping });
  const { counters, positions, pingRedis } = openRedisEngines(host, () => events.head());
  const redis = pingRedis === undefined ? [] : [{ variable: "REDIS_URL", ping: pingRedis }];
  await waitForEngines([...needed.values(), ...redis], logger);
  // Without Redis limits and positions go on by other means.
  const readiness = Object.fromEntries([...needed].map(([name, engine]) => [name, () => isReachable(engine)]));
  return { local, mongo, events, state, blobs, counters, positions, readiness };
}

/** @throws StorageFault */
function openFileBlobStore(folder: string): Promise<BlobStore> {
  return openFolderBlobStore(folder).catch((error: unknown) => {
    throw new StorageError(`${(error as Error).message}: make ${folder} writable, and its disk not full`, {
      cause: error,
    });
  });
}

/** There is one wherever log or state are embedded. */
function logOf({ log }: LocalStorage): Environment {
  if (log === undefined) throw new Error("the log is not embedded");
  return log;
}

function openEvents({ settings, logger }: ServiceContext, local: LocalStorage, onFatal: (error: Error) => void) {
  if (settings.eventStoreUrl === undefined) {
    return {
      events: openLmdbEventStore(logOf(local), { appendNotifier: local.appendNotifier, onFatal }),
      ping: undefined,
    };
  }
  const events = openEventStoreDb(settings.eventStoreUrl, { onProblem: engineProblemLogger(logger, "EventStoreDB") });
  return { events, ping: () => events.ping() };
}

function openRedisEngines({ settings, logger, shutdown }: ServiceContext, head: () => Promise<bigint>) {
  if (settings.redisUrl === undefined) {
    const counters = { credentials: new InMemoryRateCounter(), addresses: new InMemoryRateCounter() };
    return { counters, positions: new InMemoryWritePositions(), pingRedis: undefined };
  }
  const onProblem = engineProblemLogger(logger, "Redis");
  const redis = openRedis(settings.redisUrl, { onProblem });
  shutdown.register("Redis", () => redis.close());
  const counter = new RedisRateCounter(redis, { onProblem });
  return {
    counters: { credentials: counter, addresses: counter },
    positions: new RedisWritePositions(redis, { head }),
    pingRedis: () => redis.ping(),
  };
}
