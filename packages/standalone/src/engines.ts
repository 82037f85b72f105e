import type { BlobStore } from "@travel-booking/engines/blob-store";
import { openFolderBlobStore } from "@travel-booking/engines/blob-store/folder";
import type { DiskSpace } from "@travel-booking/engines/disk-space";
import type { EventStore, KnownLog } from "@travel-booking/engines/event-store";
import { openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import { InMemoryJobQueue } from "@travel-booking/engines/job-queue/memory";
import { type Environment, StorageError } from "@travel-booking/engines/lmdb";
import type { MongoConnection } from "@travel-booking/engines/mongodb";
import { InMemoryRateCounter } from "@travel-booking/engines/rate-counter/memory";
import type { StateStore } from "@travel-booking/engines/state-store";
import { openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import type { WritePositions } from "@travel-booking/engines/write-positions";
import { InMemoryWritePositions } from "@travel-booking/engines/write-positions/memory";
import { OperatorError } from "@travel-booking/http/operator";
import { type ApiCore, type LimitCounters, ServerConnections, type ServiceContext } from "@travel-booking/service-host";
import { dataFolders, type LocalStorage, openLocalStorage } from "./local-storage.ts";

/** The engines of one process. The settings decide which are servers and which are embedded. */
export interface Engines extends Pick<ApiCore, "state" | "keys" | "instance" | "counters" | "positions"> {
  readonly local: LocalStorage;
  /** Undefined where the read models are embedded. */
  readonly mongo: MongoConnection | undefined;
  readonly events: EventStore;
  /** Whether the log is the right one. Undefined if the log is embedded, because it cannot be replaced. */
  readonly knownLog: KnownLog | undefined;
  /** As in `OperatorServices`. Undefined if keys are not embedded. */
  readonly removeTracesOfKeys: (() => Promise<string>) | undefined;
  readonly blobs: BlobStore;
  readonly queue: JobQueue;
  /** Whether the servers can be used. */
  readonly readiness: ServerConnections["readiness"];
}

/**
 * Opens the engines of the settings, and loads no other, because a driver of a server takes a tenth of a second. Waits
 * for servers that are still starting.
 * @throws StorageError about the data folder.
 * @throws StartupError a server does not answer.
 */
export async function openEngines(host: ServiceContext): Promise<Engines> {
  const { settings, shutdown, fatalErrors } = host;
  const { dataDir, eventStoreUrl, mongodbUrl, redisUrl, readOnly } = settings;
  const onFatal = fatalErrors.handlerFor("the log can't be written any more");
  const local = await openLocalStorage(settings);
  shutdown.register("data folder", () => local.close());
  const servers = new ServerConnections(host);

  let mongo: MongoConnection | undefined;
  let state: StateStore;
  let keys: StateStore;
  let removeTracesOfKeys: Engines["removeTracesOfKeys"];
  let blobs: BlobStore;
  if (mongodbUrl === undefined) {
    const stored = openLmdbStateStore(embedded(local.log), { sharesLog: eventStoreUrl === undefined, onFatal });
    state = readOnly ? await over(stored) : stored;
    const keyStore = openLmdbStateStore(embedded(local.keys), { onFatal });
    keys = readOnly ? await over(keyStore) : keyStore;
    removeTracesOfKeys = async () => {
      await keyStore.rewrite().catch((error: Error) => {
        throw new OperatorError(503, `erased, but traces of the key are left; repeat it later: ${error.message}`);
      });
      return "the key: in backups from before";
    };
    shutdown.register("keys", () => keys.close());
    blobs = await openFileBlobStore(dataFolders(dataDir).files, local.disk, readOnly);
  } else {
    const { openMongo } = await import("@travel-booking/engines/mongodb");
    const { openMongoStateStore } = await import("@travel-booking/engines/state-store/mongodb");
    const { openGridFsBlobStore } = await import("@travel-booking/engines/blob-store/gridfs");
    mongo = servers.open("MongoDB", (options) => openMongo(mongodbUrl, options));
    state = openMongoStateStore(mongo);
    keys = state;
    blobs = openGridFsBlobStore(mongo);
  }
  shutdown.register("state store", () => state.close());

  let events: EventStore;
  let knownLog: KnownLog | undefined;
  if (eventStoreUrl === undefined) {
    events = openLmdbEventStore(embedded(local.log), { appendNotifier: local.appendNotifier, onFatal });
    shutdown.register("event store", () => events.close());
  } else {
    const { openEventStoreDb } = await import("@travel-booking/engines/event-store/eventstoredb");
    const opened = servers.open("EventStoreDB", (options) => openEventStoreDb(eventStoreUrl, options));
    ({ knownLog } = opened);
    events = opened;
  }

  let counters: LimitCounters;
  let positions: WritePositions;
  if (redisUrl === undefined) {
    counters = { credentials: new InMemoryRateCounter(), addresses: new InMemoryRateCounter() };
    positions = new InMemoryWritePositions();
  } else {
    const { openRedis } = await import("@travel-booking/engines/redis");
    const { RedisRateCounter } = await import("@travel-booking/engines/rate-counter/redis");
    const { RedisWritePositions } = await import("@travel-booking/engines/write-positions/redis");
    const redis = servers.open("Redis", (options) => openRedis(redisUrl, options));
    const counter = new RedisRateCounter(redis);
    counters = { credentials: counter, addresses: counter };
    positions = new RedisWritePositions(redis, () => events.head());
  }
  const queue = new InMemoryJobQueue();
  shutdown.register("job queue", () => queue.close());
  await servers.waitUntilReachable();
  const { readiness } = servers;
  const isAlone = mongo === undefined || eventStoreUrl === undefined;
  const instance = isAlone ? undefined : (await import("@travel-booking/engines/leases")).newInstance(state);
  const stores = { local, mongo, events, knownLog, state, keys, instance, removeTracesOfKeys, blobs };
  return { ...stores, counters, positions, queue, readiness };
}

/** @throws StorageError */
function openFileBlobStore(folder: string, disk: DiskSpace | undefined, readOnly: boolean): Promise<BlobStore> {
  return openFolderBlobStore(folder, disk, readOnly).catch((cause: Error) => {
    throw new StorageError(`${cause.message}: make ${folder} writable, and its disk not full`, { cause });
  });
}

/** A store that leaves this one as it is, and keeps in memory what is written. */
async function over(stored: StateStore): Promise<StateStore> {
  const { InMemoryStateStore } = await import("@travel-booking/engines/state-store/memory");
  return new InMemoryStateStore(stored);
}

/** The environment of an embedded store. */
function embedded(environment: Environment | undefined): Environment {
  if (environment === undefined) throw new Error("the store is not embedded");
  return environment;
}
