import type { Cabin } from "../shared/cabin.ts";
import type { Instant } from "../shared/decision.ts";
import { expiredHolds, nextExpiry } from "./hold-queue.ts";
import type { Occupancy } from "./occupancy.ts";

export const SEAT_STATUSES = ["available", "held", "booked", "blocked"] as const;
export type SeatStatus = (typeof SEAT_STATUSES)[number];

/**
 * Seats of a cabin that may still be promised to somebody: unblocked seats − booked − passengers booked without a
 * seat − actively held (docs/rules.md#seats-left). A hold past its time counts no more, recorded or not.
 * 0 for a cabin the flight does not have.
 */
export function seatsLeft(occupancy: Occupancy, cabin: Cabin, at: Instant): number {
  const room = occupancy.cabins.get(cabin);
  if (room === undefined) return 0;
  let left = room.layout.unblocked - room.committed - room.held;
  for (const hold of expiredHolds(occupancy.holds, at)) if (hold.cabin === cabin) left += hold.seats.length;
  return left;
}

/** What an existing seat of a cabin is at that moment; an old and a reserved new seat of a booking are both booked. */
export function seatStatus(occupancy: Occupancy, cabin: Cabin, seat: string, at: Instant): SeatStatus {
  if (occupancy.cabins.get(cabin)?.layout.blocked.has(seat)) return "blocked";
  if ((occupancy.bookedBy.get(seat) ?? null) !== null) return "booked";
  const hold = occupancy.heldBy.get(seat) ?? null;
  return hold !== null && hold.expiresAt > at ? "held" : "available";
}

/** When what was read of an occupancy stops being true without any event: the next hold lapses. Null: never. */
export function availabilityChangesAt(occupancy: Occupancy): Instant | null {
  return nextExpiry(occupancy.holds);
}
