import type { CabinPlan, FlightPlan } from "./events.ts";

function sorted<Value extends string | number>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values)].sort((one, other) => (one < other ? -1 : 1));
}

function immutableCabinFields(plan: CabinPlan): unknown {
  return [
    plan.cabin,
    plan.deck,
    plan.currency,
    plan.layout,
    plan.rows,
    sorted(plan.exitRows),
    sorted(plan.cryosleepRows),
    sorted(plan.quietRows),
    sorted(plan.accessible),
    sorted(plan.blocked),
    sorted(plan.surcharges.map(({ feature, amount }) => `${feature} ${amount}`)),
  ];
}

function immutableFlightFields(plan: FlightPlan): string {
  const cabins = [...plan.cabins].sort((one, other) => (one.cabin < other.cabin ? -1 : 1));
  return JSON.stringify([
    plan.flightId,
    plan.from,
    plan.destinationId,
    plan.departsAt,
    plan.durationDays,
    cabins.map(immutableCabinFields),
  ]);
}

/** Whether two plans differ in fare amounts at most, the one thing of a known flight that may change. */
export function differsOnlyInFares(one: FlightPlan, other: FlightPlan): boolean {
  return immutableFlightFields(one) === immutableFlightFields(other);
}
