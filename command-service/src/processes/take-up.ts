import { isOfRequest, RECOVERY_GRACE } from "@travel-booking/domain";
import type { Clock } from "@travel-booking/runtime";
import { type DueTaskEntry, type DueTaskList, dueTaskPages } from "./due-task-list.ts";

/**
 * The tasks of requests whose process has ended. They need not wait for the recovery grace
 * (docs/decisions/0044-what-a-dead-process-left-is-due-at-once.md).
 * @param instance the process that has ended; by default every process that ever worked on a request.
 */
export async function tasksLeftBehind(
  list: Pick<DueTaskList, "dueBy">,
  clock: Clock,
  instance?: string,
): Promise<readonly DueTaskEntry[]> {
  const left: DueTaskEntry[] = [];
  for await (const page of dueTaskPages(list, clock.now() + RECOVERY_GRACE)) {
    for (const entry of page) {
      if (isOfRequest(entry.task) && (instance === undefined || entry.task.instance === instance)) left.push(entry);
    }
  }
  return left;
}
