import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { ScheduleFlight } from "./commands.ts";
import type { FareChanged, FlightEvent } from "./events.ts";
import { differsOnlyInFares } from "./immutable-plan.ts";
import { planProblems } from "./plan-problems.ts";
import type { FlightRejectionCode } from "./rejections.ts";
import type { FlightState } from "./state.ts";

/** A new flight, a changed fare, or nothing. What else changed on a known flight is refused: seats may be sold already. */
export function scheduleFlight(
  { plan }: ScheduleFlight,
  state: FlightState,
  at: Instant,
): Decision<FlightEvent, FlightRejectionCode> {
  const problems = planProblems(plan);
  if (problems.length > 0) return reject("invalid_plan", { problems });
  if (state.status === "unscheduled") return accept({ type: "FlightScheduled", at, data: plan });

  const known = state.occupancy.plan;
  if (!differsOnlyInFares(known, plan)) return reject("flight_plan_fixed", { flightId: known.flightId });
  const fares = new Map(known.cabins.map(({ cabin, amount }) => [cabin, amount]));
  const changed = plan.cabins.filter(({ cabin, amount }) => fares.get(cabin) !== amount);
  return accept(
    ...changed.map(({ cabin, amount }): FareChanged => ({ type: "FareChanged", at, data: { cabin, amount } })),
  );
}
