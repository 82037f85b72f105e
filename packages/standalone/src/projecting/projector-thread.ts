import { isMainThread, type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openLmdbEventLogReader, WakeUp } from "@travel-booking/event-store";
import { Projector, projections, serveProjector } from "@travel-booking/projector";
import { openLmdbReadStore } from "@travel-booking/read-store";
import { openLog, openRead } from "../storage.ts";
import { portOf } from "./port.ts";

/** What the request thread hands over. */
export interface ProjectorThreadData {
  readonly dataDir: string;
  readonly wakeUp: SharedArrayBuffer;
}

async function run(port: MessagePort, { dataDir, wakeUp }: ProjectorThreadData): Promise<void> {
  const log = openLog(dataDir);
  const read = openRead(dataDir);
  const eventStore = openLmdbEventLogReader(log, { wakeUp: new WakeUp(wakeUp) });
  const readStore = openLmdbReadStore(read.root);
  await serveProjector(
    portOf(port),
    (callbacks) => new Projector({ eventStore, readStore, projections, ...callbacks }),
    async () => {
      await readStore.close();
      await read.close();
      await log.close();
      // Lets the thread end once its last answer is out; closing the port would lose that answer.
      port.unref();
    },
  );
}

if (!isMainThread && parentPort !== null) await run(parentPort, workerData as ProjectorThreadData);
