import { once } from "node:events";
import { type MessagePort, parentPort } from "node:worker_threads";
import type { DiskSpace } from "@travel-booking/engines/disk-space";
import { AppendNotifier, type EventStore } from "@travel-booking/engines/event-store";
import { openLmdbEventLogReader } from "@travel-booking/engines/event-store/lmdb";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import { Projector, projections, serveProjector } from "@travel-booking/projector";
import { dataDisk, openLogEnvironment, openReadModelEnvironment, type StorageSettings } from "./local-storage.ts";

/** The first message of the main thread, which has locked the data folder by then. */
export interface ProjectorThreadData extends StorageSettings {
  readonly wakeUp: SharedArrayBuffer;
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

async function openModels({ dataDir, mongodbUrl }: ProjectorThreadData, disk: DiskSpace): Promise<Opened<ReadStore>> {
  if (mongodbUrl !== undefined) {
    const { openMongo } = await import("@travel-booking/engines/mongodb");
    const { openMongoReadStore } = await import("@travel-booking/engines/read-store/mongodb");
    const mongo = openMongo(mongodbUrl);
    return { engine: openMongoReadStore(mongo), close: () => mongo.close() };
  }
  const read = openReadModelEnvironment(dataDir, disk);
  const engine = openLmdbReadStore(read.root, disk);
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
  const events = await openEvents(data);
  const disk = dataDisk(data);
  const models = await openModels(data, disk);
  const served = serveProjector(
    port,
    (callbacks) => new Projector({ eventStore: events.engine, readStore: models.engine, projections, ...callbacks }),
    async () => {
      await models.close();
      await events.close();
      // The thread ends after it has sent its last answer; closing the port would lose that answer.
      port.unref();
    },
  );
  // After the projector has been told to stop: a write that waits for room ends then.
  port.on("message", ({ verb }: { readonly verb: string }) => verb === "stop" && disk.close());
  await served;
}

if (parentPort !== null) await run(parentPort);
