import type { EventStore } from "@travel-booking/engines/event-store";
import { DUE_TASKS, type ProjectionProgress } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import type { DueTaskList } from "../processes/due-task-list.ts";
import type { Scheduler } from "../processes/scheduler.ts";
import { tasksLeftBehind } from "../processes/take-up.ts";

/** Real time: how long the list may take to show what a process that has ended wrote last. */
const LISTED_WITHIN_MS = 5_000;

interface TakeOverOptions {
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly newScheduler: () => Pick<Scheduler, "runNow">;
  readonly clock: Clock;
  readonly progress: Pick<ProjectionProgress, "waitUntil">;
  readonly events: Pick<EventStore, "head">;
}

/**
 * Runs at once what an instance that has ended left unfinished.
 * @throws Error the list does not show all that the instance wrote.
 */
export function takeOver({ list, newScheduler, clock, progress, events }: TakeOverOptions) {
  return async (instance: string): Promise<void> => {
    const isListed = await progress.waitUntil(DUE_TASKS.projection, await events.head(), LISTED_WITHIN_MS);
    if (!isListed) throw new Error("the list of due tasks is behind the log");
    await newScheduler().runNow(await tasksLeftBehind(list, clock, instance));
  };
}
