import type { Lifecycle } from "@travel-booking/http";
import { OperatorError } from "@travel-booking/http/operator";
import type { ProjectionProgress } from "@travel-booking/read-models";
import { OBLIGATIONS } from "@travel-booking/read-models";
import type { SandboxClock } from "@travel-booking/runtime";
import { advanceClock } from "../obligations/advance-clock.ts";
import { DueList } from "../obligations/due-list.ts";
import type { DueWork } from "../obligations/due-work.ts";
import { meetObligation } from "../obligations/meet-obligation.ts";
import { Scheduler } from "../obligations/scheduler.ts";
import type { OperatorServices } from "../operator/operator-services.ts";
import type { Standing } from "./standing.ts";

/** Real time: how long what was met may take to leave the list. */
const LISTED_MS = 5_000;

export interface ObligationsOptions {
  readonly services: OperatorServices;
  readonly clock: SandboxClock;
  readonly progress: ProjectionProgress;
  readonly standing: Standing;
  readonly lifecycle: Lifecycle;
  /** What falls due besides obligations. */
  readonly alsoDue?: DueWork;
}

/** What falls due, who meets it, and how the clock is moved without passing over any of it. */
export function obligations(options: ObligationsOptions) {
  const { services, clock, progress, standing, lifecycle, alsoDue } = options;
  const list = new DueList(services.models);
  const newScheduler = () =>
    new Scheduler({
      list,
      clock,
      meet: (obligation) => meetObligation(services, obligation),
      listed: async (position) => void (await progress.waitUntil(OBLIGATIONS.projection, position, LISTED_MS)),
      failed: ({ key }, error) =>
        services.logger.warn({ obligation: key, err: error }, "an obligation could not be met yet"),
    });
  const scheduler = newScheduler();
  const caughtUp = async () => {
    if (lifecycle.stopping)
      throw new OperatorError(503, "the service is stopping: the clock was not moved all the way");
    if (await standing.isStopped(OBLIGATIONS.projection)) {
      throw new OperatorError(
        409,
        `${OBLIGATIONS.projection} is stopped, so nobody knows what falls due; mend that first`,
      );
    }
    await standing.caughtUp();
  };
  const advanceTo = (target: number) =>
    advanceClock({ clock, list, scheduler, caughtUp, ...(alsoDue && { alsoDue: refusable(alsoDue) }) }, target);
  return { list, scheduler, newScheduler, advanceTo };
}

/** What can't be done is told to the operator who waits for it. */
function refusable(work: DueWork): DueWork {
  return {
    nextDue: (now) => work.nextDue(now),
    settled: () =>
      work.settled().catch((error: unknown) => {
        throw new OperatorError(503, `the clock was not moved all the way: ${(error as Error).message}`);
      }),
  };
}
