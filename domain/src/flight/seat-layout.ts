import { type CabinPlan, SEAT_FEATURES, type SeatFeature } from "../shared/cabin-plan.ts";
import type { Cabin } from "../shared/values.ts";

export interface Seat {
  /** Row and column: `14C`. */
  readonly number: string;
  readonly row: number;
  readonly column: string;
  readonly features: readonly SeatFeature[];
  /** Surcharge in cents: the sum of the cabin's surcharges for the seat's features. */
  readonly price: number;
}

/**
 * A cabin plan prepared to find a seat by its number. Its cost depends on the length of the plan, not on the number of
 * seats.
 */
export interface CabinLayout {
  readonly cabin: Cabin;
  readonly firstRow: number;
  readonly lastRow: number;
  /** Features of a seat by its column, from left to right. */
  readonly columns: ReadonlyMap<string, readonly SeatFeature[]>;
  readonly exitRows: ReadonlySet<number>;
  readonly cryosleepRows: ReadonlySet<number>;
  readonly quietRows: ReadonlySet<number>;
  readonly accessible: ReadonlySet<string>;
  readonly blocked: ReadonlySet<string>;
  readonly surcharges: ReadonlyMap<SeatFeature, number>;
  /** Number of seats for sale. */
  readonly unblocked: number;
}

/** The columns of a layout from left to right, without aisles: `ABC DEF` has A to F. */
export function columnsOf(plan: Pick<CabinPlan, "layout">): readonly string[] {
  return plan.layout.split("").filter((column) => column !== " ");
}

/** The number of columns to the left of each aisle, from left to right: `ABC DEF` has [3]. */
export function aislesOf(plan: Pick<CabinPlan, "layout">): readonly number[] {
  const aisles: number[] = [];
  let columns = 0;
  for (const place of plan.layout) {
    if (place !== " ") columns += 1;
    else if (aisles.at(-1) !== columns) aisles.push(columns);
  }
  return aisles;
}

/**
 * Outermost columns are `window`, those next to an aisle `aisle`, the rest `middle`. A seat in a narrow cabin can be
 * both `window` and `aisle`.
 */
function columnFeatures(plan: CabinPlan): Map<string, readonly SeatFeature[]> {
  const places = plan.layout.split("");
  const columns = columnsOf(plan);
  const features = new Map<string, readonly SeatFeature[]>();
  places.forEach((column, index) => {
    if (column === " ") return;
    const window = column === columns[0] || column === columns.at(-1);
    const aisle = places[index - 1] === " " || places[index + 1] === " ";
    const named: SeatFeature[] = [...(window ? (["window"] as const) : []), ...(aisle ? (["aisle"] as const) : [])];
    features.set(column, named.length === 0 ? ["middle"] : named);
  });
  return features;
}

export function layoutOf(plan: CabinPlan): CabinLayout {
  const [firstRow, lastRow] = plan.rows;
  const columns = columnFeatures(plan);
  const blocked = new Set(plan.blocked);
  return {
    cabin: plan.cabin,
    firstRow,
    lastRow,
    columns,
    exitRows: new Set(plan.exitRows),
    cryosleepRows: new Set(plan.cryosleepRows),
    quietRows: new Set(plan.quietRows),
    accessible: new Set(plan.accessible),
    blocked,
    surcharges: new Map(plan.surcharges.map(({ feature, amount }) => [feature, amount])),
    unblocked: (lastRow - firstRow + 1) * columns.size - blocked.size,
  };
}

/** Row and column of a seat number; undefined if the cabin has no such seat. */
function rowAndColumn(layout: CabinLayout, number: string): { row: number; column: string } | undefined {
  const column = number.slice(-1);
  const digits = number.slice(0, -1);
  const row = Number(digits);
  if (!layout.columns.has(column) || !Number.isInteger(row) || String(row) !== digits) return undefined;
  return row >= layout.firstRow && row <= layout.lastRow ? { row, column } : undefined;
}

export function hasSeat(layout: CabinLayout, number: string): boolean {
  return rowAndColumn(layout, number) !== undefined;
}

/** The position of one of the cabin's seats in `seatsOf`, found without a layout. */
export function seatIndex(plan: Pick<CabinPlan, "layout" | "rows">, number: string): number {
  const last = number.slice(-1);
  let columns = 0;
  let before = 0;
  for (const column of plan.layout) {
    if (column === last) before = columns;
    if (column !== " ") columns += 1;
  }
  return (Number(number.slice(0, -1)) - plan.rows[0]) * columns + before;
}

function describeSeat(layout: CabinLayout, row: number, column: string): Seat {
  const number = `${row}${column}`;
  const has = new Set<SeatFeature>(layout.columns.get(column));
  if (layout.exitRows.has(row)) has.add("exit_row").add("extra_legroom");
  if (row === layout.firstRow) has.add("bulkhead");
  if (layout.quietRows.has(row)) has.add("quiet_zone");
  if (layout.accessible.has(number)) has.add("accessible");
  if (layout.cryosleepRows.has(row)) has.add("cryosleep_pod");
  const features = SEAT_FEATURES.filter((feature) => has.has(feature));
  const price = features.reduce((sum, feature) => sum + (layout.surcharges.get(feature) ?? 0), 0);
  return { number, row, column, features, price };
}

/** The seat with that number; undefined if the cabin has none. */
export function seatAt(layout: CabinLayout, number: string): Seat | undefined {
  const place = rowAndColumn(layout, number);
  return place === undefined ? undefined : describeSeat(layout, place.row, place.column);
}

/** The rows of a cabin from front to rear, each with its seats from left to right, blocked ones included. */
export function* rowsOf(plan: CabinPlan): Generator<{ readonly row: number; readonly seats: readonly Seat[] }> {
  const layout = layoutOf(plan);
  const columns = [...layout.columns.keys()];
  for (let row = layout.firstRow; row <= layout.lastRow; row += 1)
    yield { row, seats: columns.map((column) => describeSeat(layout, row, column)) };
}

/** All seats of a cabin, row by row. */
export function seatsOf(plan: CabinPlan): readonly Seat[] {
  return Array.from(rowsOf(plan), ({ seats }) => seats).flat();
}
