import type { CabinPlan, FlightPlan } from "../flight/events.ts";
import { columnsOf, layoutOf, seatAt } from "../flight/seat-layout.ts";
import type { Tier } from "../loyalty/rules.ts";
import { assertNever, type Instant } from "../shared/decision.ts";
import { MINUTE } from "../shared/time.ts";
import { CABINS } from "../shared/values.ts";

const BOARDING_BEGINS_BEFORE = 45 * MINUTE;

/** When boarding begins. */
export function boardingAtOf(departsAt: Instant): Instant {
  return departsAt - BOARDING_BEGINS_BEFORE;
}

/** Groups in the order they are called in. */
export const BOARDING_GROUPS = ["A", "B", "C", "D", "E"] as const;
type BoardingGroup = (typeof BOARDING_GROUPS)[number];

/** Whether a row is in the rear half of its cabin; the middle one of an odd number counts to the rear. */
function isInRearHalf({ rows: [first, last] }: Pick<CabinPlan, "rows">, row: number): boolean {
  return row - first >= Math.floor((last - first + 1) / 2);
}

/**
 * When a passenger is called: A first or admiral, B business or pioneer, C premium economy, D economy's rear half, E its
 * front half (docs/rules.md#boarding-groups).
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
 * The number of a passenger in boarding order, from 1: the higher cabins first, of economy the rear half before the front
 * half, row by row from left to right. It follows from the seat alone, so on one flight no two passengers share one, and
 * it stays as long as the seat does. A loyalty tier calls somebody earlier and renumbers nobody.
 * @throws Error the flight has no such seat.
 */
export function sequenceOf(plan: Pick<FlightPlan, "cabins">, seatNumber: string): number {
  let before = 0;
  for (const cabin of inBoardingOrder(plan)) {
    const seat = seatAt(layoutOf(cabin), seatNumber);
    if (seat !== undefined) return before + placeInCabin(cabin, seat.row, seat.column);
    before += seatsIn(cabin);
  }
  throw new Error(`the flight has no seat ${seatNumber}`);
}

function inBoardingOrder({ cabins }: Pick<FlightPlan, "cabins">): readonly CabinPlan[] {
  return [...cabins].sort((one, other) => CABINS.indexOf(other.cabin) - CABINS.indexOf(one.cabin));
}

function seatsIn(cabin: CabinPlan): number {
  return (cabin.rows[1] - cabin.rows[0] + 1) * columnsOf(cabin).length;
}

function placeInCabin(cabin: CabinPlan, row: number, column: string): number {
  const columns = columnsOf(cabin);
  const [first, last] = cabin.rows;
  const front = Math.floor((last - first + 1) / 2);
  const isRear = isInRearHalf(cabin, row);
  const rowsBefore =
    cabin.cabin !== "economy" ? row - first : isRear ? row - first - front : last - first + 1 - front + (row - first);
  return rowsBefore * columns.length + columns.indexOf(column) + 1;
}
