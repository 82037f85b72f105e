import type { CabinPlan } from "../shared/cabin-plan.ts";
import { accept, type Instant, reject } from "../shared/decision.ts";
import type { FlightChange } from "../shared/flight-change.ts";
import type { FlightDecision, ScheduleFlight } from "./commands.ts";
import type { FareChanged, FlightPlan } from "./events.ts";
import { columnsOf, hasSeat, layoutOf } from "./seat-layout.ts";
import type { FlightState } from "./state.ts";

/**
 * Schedules a new flight, changes a fare, or does nothing. Refuses any other change, because a known flight may have
 * sold seats; of a plan that a disruption has changed since it names that.
 */
export function scheduleFlight({ plan }: ScheduleFlight, state: FlightState, at: Instant): FlightDecision {
  const problems = planProblems(plan);
  if (problems.length > 0) return reject("invalid_plan", { problems });
  if (state.status === "unscheduled") return accept({ type: "FlightScheduled", at, data: plan });

  const known = state.occupancy.plan;
  if (!differsOnlyInFares(known, plan)) {
    const { flightId } = known;
    const disruptionId = changedSince(plan, known, state.changes);
    return reject("flight_plan_fixed", { flightId, ...(disruptionId !== undefined && { disruptionId }) });
  }
  if (state.occupancy.sale === "cancelled") return accept();
  const fares = new Map(known.cabins.map(({ cabin, amount }) => [cabin, amount]));
  const changed = plan.cabins.filter(({ cabin, amount }) => fares.get(cabin) !== amount);
  return accept(
    ...changed.map(({ cabin, amount }): FareChanged => ({ type: "FareChanged", at, data: { cabin, amount } })),
  );
}

/** The disruption that made another plan of this one; undefined: the flight never had it. */
function changedSince(plan: FlightPlan, known: FlightPlan, changes: readonly FlightChange[]): string | undefined {
  let before = known;
  for (const change of changes.toReversed()) {
    before = { ...before, ...change.before };
    if (differsOnlyInFares(before, plan)) return change.disruptionId;
  }
  return undefined;
}

function duplicates<Value>(values: readonly Value[]): readonly Value[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}

function cabinProblems(plan: CabinPlan): readonly string[] {
  const [first, last] = plan.rows;
  const columns = columnsOf(plan);
  const problems: string[] = [];
  if (columns.length === 0) problems.push("the layout has no column");
  for (const column of duplicates(columns)) problems.push(`column ${column} is there twice`);
  for (const feature of duplicates(plan.surcharges.map((surcharge) => surcharge.feature)))
    problems.push(`${feature} has two surcharges`);
  if (first > last) return [...problems, `rows ${first} to ${last} are reversed`];

  const rowLists = { exitRows: plan.exitRows, cryosleepRows: plan.cryosleepRows, quietRows: plan.quietRows };
  for (const [name, rows] of Object.entries(rowLists))
    for (const row of rows) if (row < first || row > last) problems.push(`${name}: there is no row ${row}`);

  const layout = layoutOf(plan);
  for (const [name, seats] of Object.entries({ accessible: plan.accessible, blocked: plan.blocked }))
    for (const seat of seats) if (!hasSeat(layout, seat)) problems.push(`${name}: there is no seat ${seat}`);
  return problems;
}

/** Seat numbers are unique on a flight, so two cabins may share rows or columns, but not both. */
function shareASeat(one: CabinPlan, other: CabinPlan): boolean {
  const rowsOverlap = one.rows[0] <= other.rows[1] && other.rows[0] <= one.rows[1];
  const columns = new Set(columnsOf(one));
  return rowsOverlap && columnsOf(other).some((column) => columns.has(column));
}

/** The contradictions in a plan, one sentence each; empty for a valid plan. */
export function planProblems(plan: FlightPlan): readonly string[] {
  const problems = duplicates(plan.cabins.map(({ cabin }) => cabin)).map((cabin) => `cabin ${cabin} is there twice`);
  plan.cabins.forEach((cabin, index) => {
    for (const problem of cabinProblems(cabin)) problems.push(`${cabin.cabin}: ${problem}`);
    for (const other of plan.cabins.slice(index + 1))
      if (cabin.cabin !== other.cabin && shareASeat(cabin, other))
        problems.push(`${cabin.cabin} and ${other.cabin} share seat numbers`);
  });
  return problems;
}

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

/** Whether two plans differ in fare amounts at most. Nothing else of a known flight may change. */
export function differsOnlyInFares(one: FlightPlan, other: FlightPlan): boolean {
  return immutableFlightFields(one) === immutableFlightFields(other);
}
