import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { DiskSpace } from "@travel-booking/engines/disk-space";
import { AppendNotifier, type EventStore } from "@travel-booking/engines/event-store";
import { openLmdbEventLogReader } from "@travel-booking/engines/event-store/lmdb";
import type { Environment } from "@travel-booking/engines/lmdb";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import type { StateStore } from "@travel-booking/engines/state-store";
import { openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { Projector, projections, serveProjector } from "@travel-booking/projector";
import { SkippedEvents } from "@travel-booking/read-models/control";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { LogLevel, SecretKey } from "@travel-booking/runtime";
import { beginHeartbeat, type Heartbeats } from "@travel-booking/runtime/watchdog";
import { KeysOverPort } from "./keys-channel.ts";
import { dataDisk, openLogEnvironment, openReadModelEnvironment, type StorageSettings } from "./local-storage.ts";

/** The first message of the main thread. By then it has locked the data folder. */
export interface ProjectorThreadData extends StorageSettings {
  readonly wakeUp: SharedArrayBuffer;
  /** A port to the store of keys (`serveKeys`). */
  readonly keys: MessagePort;
  readonly secretKey: SecretKey;
  readonly heartbeats: Heartbeats;
  readonly logLevel: LogLevel;
}

interface ThreadEngines {
  readonly eventStore: Pick<EventStore, "subscribe" | "head" | "eventIdAt">;
  readonly readStore: ReadStore;
  readonly state: StateStore;
  close(): Promise<void>;
}

async function openEngines(data: ProjectorThreadData, disk: DiskSpace): Promise<ThreadEngines> {
  // The log or the state is embedded, because otherwise this thread does not exist (`beginProjectorThread`).
  const log = openLogEnvironment(data.dataDir, data);
  const events = await openEvents(data, log);
  const models = await openModels(data, log, disk);
  return {
    ...events,
    ...models,
    async close() {
      await models.close();
      await events.close();
      await log.close();
    },
  };
}

async function openEvents({ wakeUp, eventStoreUrl, logLevel }: ProjectorThreadData, log: Environment) {
  if (eventStoreUrl !== undefined) {
    const { openEventStoreDb } = await import("@travel-booking/engines/event-store/eventstoredb");
    const eventStore = openEventStoreDb(eventStoreUrl, await logOf("EventStoreDB", logLevel));
    return { eventStore, close: () => eventStore.close() };
  }
  const eventStore = openLmdbEventLogReader(log, { appendNotifier: new AppendNotifier(wakeUp) });
  return { eventStore, close: async () => undefined };
}

async function openModels({ dataDir, mongodbUrl, logLevel }: ProjectorThreadData, log: Environment, disk: DiskSpace) {
  if (mongodbUrl !== undefined) {
    const { openMongo } = await import("@travel-booking/engines/mongodb");
    const { openMongoReadStore } = await import("@travel-booking/engines/read-store/mongodb");
    const { openMongoStateStore } = await import("@travel-booking/engines/state-store/mongodb");
    const mongo = openMongo(mongodbUrl, await logOf("MongoDB", logLevel));
    return { readStore: openMongoReadStore(mongo), state: openMongoStateStore(mongo), close: () => mongo.close() };
  }
  const read = openReadModelEnvironment(dataDir, disk);
  const state = openLmdbStateStore(log, { onFatal: doNothing });
  return { readStore: openLmdbReadStore(read.root, disk), state, close: () => read.close() };
}

/** Writes outages to the process's log from this thread, because an outage concerns more than one projection. */
async function logOf(engine: string, level: LogLevel) {
  const { createLogger, engineLog } = await import("@travel-booking/runtime");
  return engineLog(createLogger({ level, service: "standalone" }), engine);
}

/** This thread writes no state, so no write can fail. */
const doNothing = () => undefined;

async function run(port: MessagePort): Promise<void> {
  port.postMessage("loaded");
  const [data] = (await once(port, "message")) as [ProjectorThreadData];
  port.ref();
  const endHeartbeat = beginHeartbeat(data.heartbeats, "projector");
  const disk = dataDisk(data);
  const { eventStore, readStore, state, close } = await openEngines(data, disk);
  const keys = new KeysOverPort(data.keys);
  const words = new SealedWords({ state: keys, secretKey: data.secretKey, shared: false });
  keys.onForget = () => words.keys.forget();
  const skippedEvents = new SkippedEvents(state);
  const served = serveProjector(
    port,
    (callbacks) => new Projector({ eventStore, readStore, words, skippedEvents, projections, ...callbacks }),
    async () => {
      await close();
      endHeartbeat();
      // The thread ends after it has sent its last answer; closing the port would lose that answer.
      port.unref();
    },
  );
  // The projector stops first. Closing the disk then ends a write that waits for room.
  port.on("message", ({ verb }: { readonly verb: string }) => verb === "stop" && disk.close());
  await served;
}

if (parentPort !== null) await run(parentPort);
