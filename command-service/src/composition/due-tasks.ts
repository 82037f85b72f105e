import { setTimeout as pause } from "node:timers/promises";
import type { EventStore } from "@travel-booking/engines/event-store";
import { OperatorError } from "@travel-booking/http/operator";
import { DUE_TASKS, type ProjectionProgress } from "@travel-booking/read-models";
import type { Clock } from "@travel-booking/runtime";
import type { ApiCore } from "@travel-booking/service-host";
import type { DueDeliveries } from "@travel-booking/webhooks/deliveries";
import type { OperatorServices } from "../operator/operator-services.ts";
import { advanceClock, type ClockDrivenWork } from "../processes/advance-clock.ts";
import { DueTaskList } from "../processes/due-task-list.ts";
import { runDueTask } from "../processes/run-saga.ts";
import { Scheduler } from "../processes/scheduler.ts";
import { tasksLeftBehind } from "../processes/take-up.ts";
import { type PutOff, TaskGuard } from "../processes/task-guard.ts";
import type { CatchUpMonitor } from "./catch-up-monitor.ts";

/** Real time that the list may take to show finished tasks, or the last writes of an ended process. */
const LISTED_WITHIN_MS = 5_000;

/** Resolves when the list shows a position, or after a while, because a task may run twice without harm. */
export function waitUntilListed(progress: ProjectionProgress) {
  return async (position: bigint): Promise<void> => {
    await progress.waitUntil(DUE_TASKS.projection, position, LISTED_WITHIN_MS);
  };
}

/**
 * Options of a scheduler: a guard against tasks that end its process, and a log of problems.
 * @param name of the scheduler. Only one at a time has it.
 */
export function guarded({ state, logger }: Pick<OperatorServices, "state" | "logger">, name: string) {
  const onPutOff = (task: string, { times, until }: PutOff) =>
    // A single end may be chance, so it is only a warning.
    logger[times === 1 ? "warn" : "error"](
      { task, times, until: new Date(until).toISOString() },
      "the process ended in the midst of this due task: it is put off",
    );
  const onUnreadable = (error: unknown) => logger.warn({ err: error }, "due tasks can't be run now and will be soon");
  return { guard: new TaskGuard({ state, name, onPutOff }), onUnreadable };
}

interface DueTasksOptions extends Pick<ApiCore, "clock" | "progress" | "lifecycle" | "mayBegin"> {
  readonly services: OperatorServices;
  readonly catchUpMonitor: CatchUpMonitor;
  readonly otherWork: ClockDrivenWork;
  /** Runs the sweeps of disruptions, which make other tasks due. */
  readonly sweeps: Pick<Scheduler, "runDue">;
}

/** The list of due tasks, its scheduler, and a way to advance the clock that skips no task. */
export function dueTasks(options: DueTasksOptions) {
  const { services, clock, progress, catchUpMonitor, lifecycle, mayBegin, otherWork, sweeps } = options;
  const list = new DueTaskList(services.models);
  const newScheduler = (name: string) =>
    new Scheduler({
      ...guarded(services, name),
      list,
      clock,
      mayBegin,
      run: (task) => runDueTask(services, task),
      waitUntilListed: waitUntilListed(progress),
      onFailed: ({ key }, error) =>
        services.logger.warn({ task: key, err: error }, "a due task failed and will be retried"),
    });
  const scheduler = newScheduler("own");
  const caughtUp = async () => {
    if (lifecycle.stopping)
      throw new OperatorError(503, "the service is stopping: the clock was not moved all the way");
    if (await catchUpMonitor.isStopped(DUE_TASKS.projection)) {
      throw new OperatorError(
        409,
        `${DUE_TASKS.projection} is stopped, so nobody knows what falls due; mend that first`,
      );
    }
    await catchUpMonitor.waitUntilCaughtUp();
  };
  const advanceBy = (milliseconds: number, signal: AbortSignal) =>
    advanceClock(
      {
        clock,
        list,
        scheduler: { runDue: async (waited) => (await sweeps.runDue(waited)) + (await scheduler.runDue(waited)) },
        waitUntilCaughtUp: caughtUp,
        otherWork: withOperatorErrors(otherWork),
      },
      milliseconds,
      signal,
    );
  return { list, scheduler, newScheduler, advanceBy };
}

interface TakeOverOptions {
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly newScheduler: () => Pick<Scheduler, "runNow">;
  readonly clock: Clock;
  readonly progress: Pick<ProjectionProgress, "waitUntil">;
  readonly events: Pick<EventStore, "head">;
}

/**
 * Runs at once the unfinished tasks of an instance that has ended.
 * @throws Error the list does not show all that the instance wrote.
 */
export function takeOver({ list, newScheduler, clock, progress, events }: TakeOverOptions) {
  return async (instance: string): Promise<void> => {
    const isListed = await progress.waitUntil(DUE_TASKS.projection, await events.head(), LISTED_WITHIN_MS);
    if (!isListed) throw new Error("the list of due tasks is behind the log");
    await newScheduler().runNow(await tasksLeftBehind(list, clock, instance));
  };
}

/** Reports failures to the operator who advances the clock. */
function withOperatorErrors(work: ClockDrivenWork): ClockDrivenWork {
  return {
    nextDueAt: (...moments) => work.nextDueAt(...moments),
    drained: () =>
      work.drained().catch((error: unknown) => {
        throw new OperatorError(503, `the clock was not moved all the way: ${(error as Error).message}`);
      }),
  };
}

/** Real time. */
const POLL_INTERVAL_MS = 100;
const GIVE_UP_AFTER_MS = 120_000;

/** Deliveries that fall due. A dispatcher in another process attempts them when it sees the clock move; this waits. */
export function remoteDeliveryWork(due: DueDeliveries, clock: Clock): ClockDrivenWork {
  return {
    nextDueAt: (...moments) => due.nextDueAt(...moments),
    async drained() {
      const now = clock.now();
      for (const from = performance.now(); !(await due.isSettled(now)); await pause(POLL_INTERVAL_MS)) {
        if (performance.now() - from > GIVE_UP_AFTER_MS)
          throw new Error("deliveries are due, and no dispatcher attempts them");
      }
    },
  };
}
