import type { Lifecycle } from "@travel-booking/http";
import { OperatorError } from "@travel-booking/http/operator";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { DUE_TASKS } from "@travel-booking/read-models";
import type { SandboxClock } from "@travel-booking/runtime";
import { advanceClock } from "../due-tasks/advance-clock.ts";
import type { ClockDrivenWork } from "../due-tasks/clock-driven-work.ts";
import { DueTaskList } from "../due-tasks/due-task-list.ts";
import { Scheduler } from "../due-tasks/scheduler.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import { runDueTask } from "../processes/run-saga.ts";
import type { CatchUpMonitor } from "./catch-up-monitor.ts";

/** Real time: how long what was met may take to leave the list. */
const LISTED_WITHIN_MS = 5_000;

export interface DueTasksOptions {
  readonly services: OperatorServices;
  readonly clock: SandboxClock;
  readonly progress: ProjectionProgress;
  readonly catchUpMonitor: CatchUpMonitor;
  readonly lifecycle: Lifecycle;
  /** What falls due besides obligations. */
  readonly otherWork?: ClockDrivenWork;
}

/** What falls due, who meets it, and how the clock is moved without passing over any of it. */
export function dueTasks(options: DueTasksOptions) {
  const { services, clock, progress, catchUpMonitor, lifecycle, otherWork } = options;
  const list = new DueTaskList(services.models);
  const newScheduler = () =>
    new Scheduler({
      list,
      clock,
      run: (task) => runDueTask(services, task),
      waitUntilListed: async (position) =>
        void (await progress.waitUntil(DUE_TASKS.projection, position, LISTED_WITHIN_MS)),
      onFailed: ({ key }, error) =>
        services.logger.warn({ task: key, err: error }, "a due task failed and will be retried"),
    });
  const scheduler = newScheduler();
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
  const advanceTo = (target: number) =>
    advanceClock(
      {
        clock,
        list,
        scheduler,
        waitUntilCaughtUp: caughtUp,
        ...(otherWork && { otherWork: withOperatorErrors(otherWork) }),
      },
      target,
    );
  return { list, scheduler, newScheduler, advanceTo };
}

/** What can't be done is told to the operator who waits for it. */
function withOperatorErrors(work: ClockDrivenWork): ClockDrivenWork {
  return {
    nextDueAt: (now) => work.nextDueAt(now),
    drained: () =>
      work.drained().catch((error: unknown) => {
        throw new OperatorError(503, `the clock was not moved all the way: ${(error as Error).message}`);
      }),
  };
}
