import { SWEEPS_PARTITION } from "@travel-booking/domain";
import type { ApiCore } from "@travel-booking/service-host";
import type { OperatorServices } from "../operator/operator-services.ts";
import { DueTaskList } from "../processes/due-task-list.ts";
import { runDueTask } from "../processes/run-saga.ts";
import { Scheduler } from "../processes/scheduler.ts";
import { guarded, waitUntilListed } from "./due-tasks.ts";

interface SweepsOptions extends Pick<ApiCore, "clock" | "progress" | "lifecycle" | "mayBegin"> {
  readonly services: OperatorServices;
}

/**
 * Sweeps of disruptions have a list and a scheduler of their own, because one may take minutes. A sweep during which a
 * process ended is not put off: it is likely to be under way at any end.
 */
export function newSweepScheduler({ services, clock, progress, lifecycle, mayBegin }: SweepsOptions): Scheduler {
  const { onUnreadable } = guarded(services, "sweeps");
  return new Scheduler({
    list: new DueTaskList(services.models, SWEEPS_PARTITION),
    clock,
    mayBegin,
    run: (task) => runDueTask(services, task, () => !lifecycle.stopping),
    waitUntilListed: waitUntilListed(progress),
    onUnreadable,
    onFailed: ({ key }, error) => {
      if (!lifecycle.stopping) services.logger.warn({ task: key, err: error }, "a sweep has not ended and goes on");
    },
  });
}
