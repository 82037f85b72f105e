import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { Sale } from "./disruption.ts";
import type { FlightPlan } from "./events.ts";
import type { ActiveHold } from "./party.ts";

export const SEAT_STATUSES = ["available", "held", "booked", "blocked"] as const;
type SeatStatus = (typeof SEAT_STATUSES)[number];

/** Capacity of one cabin, in passengers. `committed` counts passengers with a place, seated or not. */
export interface CabinCapacity {
  readonly unblocked: number;
  readonly committed: number;
  readonly held: number;
  /** Passengers who are booked in it and have no place, since another ship has come. Absent: none. */
  readonly overfull?: number;
}

/** The recorded facts that availability follows from, of the decider's flight or the read model's. */
export interface RecordedSeats {
  /** With the current fares. */
  readonly plan: FlightPlan;
  readonly sale: Sale;
  /** Undefined for a cabin the flight does not have. */
  capacityOf(cabin: Cabin): CabinCapacity | undefined;
  isBlocked(cabin: Cabin, seat: string): boolean;
  isBooked(cabin: Cabin, seat: string): boolean;
  /** When the seat's last hold expires, if its end is not recorded; null if there is none. */
  heldUntil(seat: string): Instant | null;
  /** Holds that have lapsed by that moment and whose end is not recorded. */
  expiredHolds(at: Instant): Iterable<Pick<ActiveHold, "cabin" | "seats">>;
}

/** What a flight shows as left of a cabin: none where it is not on sale. */
export function seatsOnSale(recorded: RecordedSeats, cabin: Cabin, at: Instant): number {
  return recorded.sale === "open" ? seatsLeft(recorded, cabin, at) : 0;
}

/** Places of a cabin that anybody may have: none while it is overfull. */
export function seatsLeft(recorded: RecordedSeats, cabin: Cabin, at: Instant): number {
  return (recorded.capacityOf(cabin)?.overfull ?? 0) > 0 ? 0 : placesLeft(recorded, cabin, at);
}

/**
 * Places of a cabin that nobody has: unblocked seats − booked − passengers booked without a seat − actively held
 * (docs/rules.md#seats-left). An expired hold does not count, recorded or not. Those who have no place may get these.
 * 0 for a cabin the flight does not have.
 */
export function placesLeft(recorded: RecordedSeats, cabin: Cabin, at: Instant): number {
  const capacity = recorded.capacityOf(cabin);
  if (capacity === undefined) return 0;
  let left = capacity.unblocked - capacity.committed - capacity.held;
  for (const hold of recorded.expiredHolds(at)) if (hold.cabin === cabin) left += hold.seats.length;
  return left;
}

/**
 * The status of an existing seat of a cabin at that moment. During a change, both old and new seats of the booking are
 * booked. On a cancelled flight every seat is blocked.
 */
export function seatStatus(recorded: RecordedSeats, cabin: Cabin, seat: string, at: Instant): SeatStatus {
  if (recorded.sale === "cancelled" || recorded.isBlocked(cabin, seat)) return "blocked";
  if (recorded.isBooked(cabin, seat)) return "booked";
  const heldUntil = recorded.heldUntil(seat);
  return heldUntil !== null && heldUntil > at ? "held" : "available";
}
