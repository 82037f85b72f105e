import {
  advanceClock,
  DueList,
  meetObligation,
  type OperatorServices,
  Scheduler,
} from "@travel-booking/command-service";
import type { Lifecycle } from "@travel-booking/http";
import { OperatorError } from "@travel-booking/operator-interface";
import type { ProjectorClient } from "@travel-booking/projector";
import { OBLIGATIONS } from "@travel-booking/read-models";
import type { SandboxClock } from "@travel-booking/runtime";
import type { Standing } from "./projecting/standing.ts";

/** Real time: how long what was met may take to leave the list. */
const LISTED_MS = 5_000;

export interface ObligationsOptions {
  readonly services: OperatorServices;
  readonly clock: SandboxClock;
  readonly projector: ProjectorClient;
  readonly standing: Standing;
  readonly lifecycle: Lifecycle;
}

/** What falls due, who meets it, and how the clock is moved without passing over any of it. */
export function obligations({ services, clock, projector, standing, lifecycle }: ObligationsOptions) {
  const list = new DueList(services.models);
  const scheduler = new Scheduler({
    list,
    clock,
    meet: (obligation) => meetObligation(services, obligation),
    listed: async (position) => void (await projector.progress.waitUntil(OBLIGATIONS.projection, position, LISTED_MS)),
    failed: ({ key }, error) =>
      services.logger.warn({ obligation: key, err: error }, "an obligation could not be met yet"),
  });
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
  const advanceTo = (target: number) => advanceClock({ clock, list, scheduler, caughtUp }, target);
  return { list, scheduler, advanceTo };
}
