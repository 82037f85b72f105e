import { CABINS, type Cabin } from "../shared/cabin.ts";
import type { CabinPlan, FlightPlan } from "./events.ts";

/** The next higher cabin this flight has (docs/rules.md#cabin-upgrade); undefined where there is none. */
export function nextCabinUp(plan: Pick<FlightPlan, "cabins">, cabin: Cabin): CabinPlan | undefined {
  return CABINS.slice(CABINS.indexOf(cabin) + 1)
    .map((higher) => plan.cabins.find((candidate) => candidate.cabin === higher))
    .find((candidate) => candidate !== undefined);
}
