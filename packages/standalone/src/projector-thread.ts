import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import { AppendNotifier, type EventStore } from "@travel-booking/engines/event-store";
import { openLmdbEventLogReader } from "@travel-booking/engines/event-store/lmdb";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import { Projector, projections, serveProjector } from "@travel-booking/projector";
import { beginHeartbeat, type Heartbeats } from "@travel-booking/runtime/watchdog";
import { type EngineAddresses, openLogEnvironment, openReadModelEnvironment } from "./local-storage.ts";

/** The first message of the main thread, which has locked the data folder by then. */
export interface ProjectorThreadData extends EngineAddresses {
  readonly dataDir: string;
  readonly wakeUp: SharedArrayBuffer;
  readonly heartbeats: Heartbeats;
}

interface Opened<Engine> {
  readonly engine: Engine;
  close(): Promise<void>;
}

type LogReader = Pick<EventStore, "subscribe" | "head">;

async function openEvents({ dataDir, wakeUp, eventStoreUrl }: ProjectorThreadData): Promise<Opened<LogReader>> {
  if (eventStoreUrl !== undefined) {
    const { openEventStoreDb } = await import("@travel-booking/engines/event-store/eventstoredb");
    const engine = openEventStoreDb(eventStoreUrl);
    return { engine, close: () => engine.close() };
  }
  const log = openLogEnvironment(dataDir);
  return {
    engine: openLmdbEventLogReader(log, { appendNotifier: new AppendNotifier(wakeUp) }),
    close: () => log.close(),
  };
}

async function openModels({ dataDir, mongodbUrl }: ProjectorThreadData): Promise<Opened<ReadStore>> {
  if (mongodbUrl !== undefined) {
    const { openMongo } = await import("@travel-booking/engines/mongodb");
    const { openMongoReadStore } = await import("@travel-booking/engines/read-store/mongodb");
    const mongo = openMongo(mongodbUrl);
    return { engine: openMongoReadStore(mongo), close: () => mongo.close() };
  }
  const read = openReadModelEnvironment(dataDir);
  const engine = openLmdbReadStore(read.root);
  const close = async () => {
    await engine.close();
    await read.close();
  };
  return { engine, close };
}

async function run(port: MessagePort): Promise<void> {
  port.postMessage("loaded");
  const [data] = (await once(port, "message")) as [ProjectorThreadData];
  port.ref();
  const endHeartbeat = beginHeartbeat(data.heartbeats, "projector");
  const events = await openEvents(data);
  const models = await openModels(data);
  await serveProjector(
    port,
    (callbacks) => new Projector({ eventStore: events.engine, readStore: models.engine, projections, ...callbacks }),
    async () => {
      await models.close();
      await events.close();
      endHeartbeat();
      // The thread ends after it has sent its last answer; closing the port would lose that answer.
      port.unref();
    },
  );
}

if (parentPort !== null) await run(parentPort);
