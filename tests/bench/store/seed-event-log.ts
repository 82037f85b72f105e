import { serveTasks } from "../children/serve-tasks.ts";
import { bookingStreams } from "../data/booking-streams.ts";
import { withEventLog } from "./event-log.ts";
import { type SeedTask, type TaskResult, timed } from "./tasks.ts";

/** Fills an event log with realistic bookings. */
serveTasks(({ folder, events }: SeedTask): Promise<TaskResult> => {
  return withEventLog(folder, (store) =>
    timed(async () => {
      let stored = 0;
      for (const group of bookingStreams(events)) {
        await Promise.all(group.map((append) => store.append(append.stream, append.expectedRevision, append.events)));
        stored += group.reduce((sum, append) => sum + append.events.length, 0);
      }
      return stored;
    }),
  );
});
