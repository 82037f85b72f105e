import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { AppendNotifier, type EventStore } from "@travel-booking/engines/event-store";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openLmdbEventLogReader } from "@travel-booking/engines/event-store/lmdb";
import { openMongo } from "@travel-booking/engines/mongodb";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { Projector, projections, serveProjector } from "@travel-booking/projector";
import { type EngineAddresses, openLogEnvironment, openReadModelEnvironment } from "./local-storage.ts";

/** The main thread passes this. */
export interface ProjectorThreadData extends EngineAddresses {
  readonly dataDir: string;
  readonly wakeUp: SharedArrayBuffer;
}

interface Opened<Engine> {
  readonly engine: Engine;
  close(): Promise<void>;
}

type LogReader = Pick<EventStore, "subscribe" | "head">;

function openEvents({ dataDir, wakeUp, eventStoreUrl }: ProjectorThreadData): Opened<LogReader> {
  if (eventStoreUrl !== undefined) {
    const engine = openEventStoreDb(eventStoreUrl);
    return { engine, close: () => engine.close() };
  }
  const log = openLogEnvironment(dataDir);
  return {
    engine: openLmdbEventLogReader(log, { appendNotifier: new AppendNotifier(wakeUp) }),
    close: () => log.close(),
  };
}

function openModels({ dataDir, mongodbUrl }: ProjectorThreadData): Opened<ReadStore> {
  if (mongodbUrl !== undefined) {
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

async function run(port: MessagePort, data: ProjectorThreadData): Promise<void> {
  const events = openEvents(data);
  const models = openModels(data);
  await serveProjector(
    port,
    (callbacks) => new Projector({ eventStore: events.engine, readStore: models.engine, projections, ...callbacks }),
    async () => {
      await models.close();
      await events.close();
      // The thread ends after it has sent its last answer; closing the port would lose that answer.
      port.unref();
    },
  );
}

if (!isMainThread && parentPort !== null) await run(parentPort, workerData as ProjectorThreadData);
