import { PROJECTION_NAMES } from "@travel-booking/read-models";
import type { Metrics } from "@travel-booking/runtime";
import type { LeasedProjections } from "./leased-projections.ts";

/** Which projections this instance runs; over all instances the sum is 1 for each. */
export function registerProjectionGauges(metrics: Metrics, projecting: LeasedProjections): void {
  metrics.labelledGauge("projection_held", "1 where this instance runs the projection.", () => {
    const { held } = projecting;
    return PROJECTION_NAMES.map((name) => ({ labels: { projection: name }, value: held.includes(name) ? 1 : 0 }));
  });
}
