import type { Instant } from "../../shared/decision.ts";
import { seatStatus } from "../availability.ts";
import type { CabinPlan } from "../events.ts";
import type { Occupancy } from "../occupancy.ts";
import { aislesOf, columnsOf, type Seat, seatsOf } from "../seat-layout.ts";

/** A free seat, and where it is among the others. */
export interface FreeSeat {
  readonly seat: Seat;
  readonly row: number;
  /** From the left, aisles not counted. */
  readonly column: number;
  /** Which block of seats between two aisles, from the left. */
  readonly block: number;
}

/** The seats of a cabin somebody could be given now, row by row from left to right. */
export function freeSeats(occupancy: Occupancy, plan: CabinPlan, at: Instant): readonly FreeSeat[] {
  const columns = columnsOf(plan);
  const aisles = aislesOf(plan);
  const blocks = columns.map((_, column) => aisles.filter((left) => left <= column).length);
  return seatsOf(plan)
    .filter(({ number }) => seatStatus(occupancy, plan.cabin, number, at) === "available")
    .map((seat) => {
      const column = columns.indexOf(seat.column);
      return { seat, row: seat.row, column, block: blocks[column] ?? 0 };
    });
}
