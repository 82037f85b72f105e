import { START } from "@travel-booking/engines/event-store";
import { serveTasks } from "../children/serve-tasks.ts";
import { withEventLog } from "./event-log.ts";
import { type ReplayTask, type TaskResult, timed } from "./tasks.ts";

/** Reads every event back through the port. */
serveTasks(({ folder, events }: ReplayTask): Promise<TaskResult> => {
  return withEventLog(folder, (store) =>
    timed(async () => {
      const done = new AbortController();
      let read = 0;
      for await (const batch of store.subscribe({ after: START, signal: done.signal })) {
        read += batch.length;
        if (read >= events) done.abort();
      }
      return read;
    }),
  );
});
