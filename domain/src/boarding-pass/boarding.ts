import type { ExistingBooking } from "../booking/state.ts";
import type { FlightPlan } from "../flight/events.ts";
import { columnsOf, layoutOf, seatAt } from "../flight/seat-layout.ts";
import type { Tier } from "../loyalty/rules.ts";
import type { CabinPlan } from "../shared/cabin-plan.ts";
import { assertNever, type Instant } from "../shared/decision.ts";
import { MINUTE } from "../shared/time.ts";
import { CABINS } from "../shared/values.ts";

const BOARDING_BEGINS_BEFORE = 45 * MINUTE;

/** When boarding begins. */
export function boardingAtOf(departsAt: Instant): Instant {
  return departsAt - BOARDING_BEGINS_BEFORE;
}

/** Groups in the order of boarding. */
export const BOARDING_GROUPS = ["A", "B", "C", "D", "E"] as const;
type BoardingGroup = (typeof BOARDING_GROUPS)[number];

/** Whether a row is in the rear half of its cabin. With an odd number of rows the middle one counts as rear. */
function isInRearHalf(plan: Pick<CabinPlan, "rows">, row: number): boolean {
  return row - plan.rows[0] >= frontRows(plan);
}

function frontRows(plan: Pick<CabinPlan, "rows">): number {
  return Math.floor(rowsIn(plan) / 2);
}

function rowsIn({ rows: [first, last] }: Pick<CabinPlan, "rows">): number {
  return last - first + 1;
}

/**
 * The boarding group of a passenger: A first or admiral, B business or pioneer, C premium economy, D economy's rear
 * half, E its front half (docs/rules.md#boarding-groups).
 */
export function boardingGroupOf(plan: Pick<CabinPlan, "cabin" | "rows">, row: number, tier: Tier): BoardingGroup {
  if (tier === "admiral") return "A";
  const { cabin } = plan;
  if (cabin === "first") return "A";
  if (tier === "pioneer") return "B";
  switch (cabin) {
    case "business":
      return "B";
    case "premium_economy":
      return "C";
    case "economy":
      return isInRearHalf(plan, row) ? "D" : "E";
    default:
      return assertNever(cabin);
  }
}

/**
 * The number of a passenger in boarding order, from 1: the higher cabins first, economy's rear half before its front
 * half, row by row from left to right. It follows from the seat alone, so no two passengers of a flight share one, and
 * it stays as long as the seat does. A loyalty tier changes the group, not the number.
 * @throws Error the flight has no such seat.
 */
export function sequenceOf(plan: Pick<FlightPlan, "cabins">, seatNumber: string): number {
  let before = 0;
  for (const cabin of inBoardingOrder(plan)) {
    const seat = seatAt(layoutOf(cabin), seatNumber);
    if (seat !== undefined) return before + placeInCabin(cabin, seat.row, seat.column);
    before += rowsIn(cabin) * columnsOf(cabin).length;
  }
  throw new Error(`the flight has no seat ${seatNumber}`);
}

function inBoardingOrder({ cabins }: Pick<FlightPlan, "cabins">): readonly CabinPlan[] {
  return [...cabins].sort((one, other) => CABINS.indexOf(other.cabin) - CABINS.indexOf(one.cabin));
}

function placeInCabin(plan: CabinPlan, row: number, column: string): number {
  const columns = columnsOf(plan);
  const fromFront = row - plan.rows[0];
  const rearRows = rowsIn(plan) - frontRows(plan);
  const shift = isInRearHalf(plan, row) ? -frontRows(plan) : rearRows;
  const rowsBefore = plan.cabin === "economy" ? fromFront + shift : fromFront;
  return rowsBefore * columns.length + columns.indexOf(column) + 1;
}

/** Grows with each change of seats, cabin or departure: a pass of a lower revision is not valid any more. */
export function passRevisionOf({
  changesApplied,
  formerDepartures = [],
}: Pick<ExistingBooking, "changesApplied" | "formerDepartures">): number {
  return 1 + changesApplied.length + formerDepartures.length;
}
