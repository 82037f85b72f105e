import { serveTasks } from "../children/serve-tasks.ts";
import { type ReplayTask, type TaskResult, timed } from "../store/tasks.ts";
import { openRecords } from "./records.ts";

/** "(e)": every record read back, decoded, in order. */
serveTasks(({ folder }: ReplayTask): Promise<TaskResult> => {
  const records = openRecords(folder);
  return timed(async () => {
    let read = 0;
    for (const { value } of records.getRange({})) if (value !== undefined) read += 1;
    await records.close();
    return read;
  });
});
