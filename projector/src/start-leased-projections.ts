import type { ServiceContext } from "@travel-booking/service-host";
import { LeasedProjections, type LeasedProjectionsOptions } from "./leased-projections.ts";
import { oncePerOutage } from "./once-per-outage.ts";
import { projections } from "./projections/index.ts";

/** Runs all projections under leases that other processes may take over, until shutdown. */
export function startLeasedProjections(
  { logger, shutdown, fatalErrors }: ServiceContext,
  engines: Omit<LeasedProjectionsOptions, "projections" | "onFatal" | "onProblem">,
): LeasedProjections {
  const leased = new LeasedProjections({
    ...engines,
    projections,
    onFatal: fatalErrors.handlerFor("the projector can't go on"),
    onProblem: oncePerOutage(({ projection, error }) =>
      logger.error({ projection, err: error }, "a projection failed"),
    ),
  });
  leased.start();
  shutdown.register("projections", () => leased.stop());
  return leased;
}
