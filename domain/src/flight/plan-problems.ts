import type { CabinPlan, FlightPlan } from "./events.ts";
import { columnsOf, hasSeat, layoutOf } from "./seat-layout.ts";

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

/** Seat numbers are unique on a flight, so two cabins may share rows or columns, never both. */
function shareASeat(one: CabinPlan, other: CabinPlan): boolean {
  const rowsOverlap = one.rows[0] <= other.rows[1] && other.rows[0] <= one.rows[1];
  const columns = new Set(columnsOf(one));
  return rowsOverlap && columnsOf(other).some((column) => columns.has(column));
}

/** Where a plan contradicts itself, one sentence each; none for a sound plan. */
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
