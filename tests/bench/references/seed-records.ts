import { serveTasks } from "../children/serve-tasks.ts";
import { bookingStreams } from "../data/booking-streams.ts";
import { type SeedTask, type TaskResult, timed } from "../store/tasks.ts";
import { openRecords } from "./records.ts";

/** Stores the events of the bench as bare records: what the event store records of each, one record an event. */
serveTasks(({ folder, events }: SeedTask): Promise<TaskResult> => {
  const records = openRecords(folder);
  return timed(async () => {
    let position = 0;
    for (const group of bookingStreams(events)) {
      await records.batch(() => {
        for (const { stream, expectedRevision, events: appended } of group) {
          for (const [index, event] of appended.entries()) {
            position += 1;
            void records.put(position, { ...event, stream, revision: expectedRevision + 1 + index, position });
          }
        }
      });
    }
    await records.close();
    return position;
  });
});
