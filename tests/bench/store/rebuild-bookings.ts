import { openEnvironment } from "@travel-booking/engines/lmdb";
import { LMDB_READ_STORE_DATABASES, openLmdbReadStore } from "@travel-booking/engines/read-store/lmdb";
import { Projector, projections } from "@travel-booking/projector";
import { serveTasks } from "../children/serve-tasks.ts";
import { withEventLog } from "./event-log.ts";
import type { ReplayTask, TaskResult } from "./tasks.ts";

const MODEL = "bookings";
const REAL_MILLISECONDS = 3_600_000;

function failed(error: unknown): never {
  throw error;
}

/** Builds the bookings read model, then builds it anew beside the live one: only the second is timed. */
serveTasks(({ folder, target }: ReplayTask): Promise<TaskResult> => {
  return withEventLog(folder, async (eventStore) => {
    const environment = openEnvironment({ path: target, maxDbs: LMDB_READ_STORE_DATABASES });
    const readStore = openLmdbReadStore(environment.root);
    const projector = new Projector({
      eventStore,
      readStore,
      projections: projections.filter(({ name }) => name === MODEL),
      onFatal: failed,
      onProblem: ({ error }) => failed(error),
    });
    await projector.start();
    await projector.progress.waitUntil(MODEL, await eventStore.head(), REAL_MILLISECONDS);
    const { events, seconds } = await projector.rebuild(MODEL);
    await projector.stop();
    await readStore.close();
    await environment.close();
    return { events, seconds };
  });
});
