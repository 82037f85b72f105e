import { type Instant, reject } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import { seatStatus, seatsLeft } from "./availability.ts";
import type { FlightRejection } from "./commands.ts";
import type { SeatsHeld } from "./events.ts";
import type { Occupancy } from "./occupancy.ts";
import type { ActiveHold } from "./party.ts";
import { hasSeat, seatAt } from "./seat-layout.ts";
import { findHold, type ScheduledFlight } from "./state.ts";

/** The cabin of a seat; undefined if the flight has no such seat. */
export function cabinOfSeat(occupancy: Occupancy, seat: string): Cabin | undefined {
  for (const [cabin, room] of occupancy.cabins) if (hasSeat(room.layout, seat)) return cabin;
  return undefined;
}

/** The rejection for a duplicate seat, or for one the flight does not have. */
export function invalidSeats(occupancy: Occupancy, seats: readonly string[]): FlightRejection | undefined {
  const twice = seats.filter((seat, index) => seats.indexOf(seat) !== index);
  if (twice.length > 0) return { code: "seat_named_twice", facts: { seats: [...new Set(twice)] } };
  const unknown = seats.filter((seat) => cabinOfSeat(occupancy, seat) === undefined);
  return unknown.length > 0 ? { code: "seat_unknown", facts: { seats: unknown } } : undefined;
}

/** Why `seats` do not fit this number of passengers in that cabin. */
export function invalidForParty(
  occupancy: Occupancy,
  seats: readonly string[],
  cabin: Cabin,
  passengers: number,
): FlightRejection | undefined {
  const unfit = invalidSeats(occupancy, seats);
  if (unfit !== undefined) return unfit;
  const elsewhere = seats.filter((seat) => cabinOfSeat(occupancy, seat) !== cabin);
  if (elsewhere.length > 0) return { code: "seat_in_other_cabin", facts: { seats: elsewhere, cabin } };
  return seats.length === passengers
    ? undefined
    : { code: "seat_count_mismatch", facts: { passengers, seats: seats.length } };
}

/** The hold and the booking whose seats the caller may take. */
interface SeatHolder {
  readonly holdId: string | null;
  readonly bookingId: string | null;
}

/** Names the unavailable seats: the blocked ones, else the booked ones, else those in other holds. */
export function unavailableSeats(
  occupancy: Occupancy,
  seats: readonly string[],
  cabin: Cabin,
  claim: SeatHolder,
  at: Instant,
): FlightRejection | undefined {
  const inStatus = (status: "blocked" | "booked" | "held") =>
    seats.filter((seat) => seatStatus(occupancy, cabin, seat, at) === status);
  const blocked = inStatus("blocked");
  if (blocked.length > 0) return { code: "seat_blocked", facts: { seats: blocked } };
  const taken = inStatus("booked").filter((seat) => occupancy.bookedBy.get(seat) !== claim.bookingId);
  if (taken.length > 0) return { code: "seat_taken", facts: { seats: taken } };
  const held = inStatus("held").filter((seat) => occupancy.heldBy.get(seat)?.holdId !== claim.holdId);
  return held.length > 0 ? { code: "seat_held", facts: { seats: held } } : undefined;
}

/** The active hold that an account names to book or choose seats; it must belong to the account. */
export function activeHold(
  { occupancy }: ScheduledFlight,
  holdId: string,
  accountId: string,
  at: Instant,
): ActiveHold | undefined {
  const hold = occupancy.sale === "cancelled" ? undefined : occupancy.holds.active.get(holdId);
  return hold !== undefined && hold.accountId === accountId && hold.expiresAt > at ? hold : undefined;
}

/** The rejection for a hold that `activeHold` does not find. `status`: its present status, if it was the account's. */
export function missingHold(flight: ScheduledFlight, holdId: string, accountId: string, at: Instant) {
  const hold = findHold(flight, holdId, at);
  return hold?.accountId === accountId ? reject("hold_not_found", { status: hold.status }) : reject("hold_not_found");
}

/**
 * Gives a used-up hold back, unchanged, if it has time left and its seats are still free
 * (docs/rules.md#holds-given-back). For a booking or change that is undone.
 * @param undone with `freed`: the places in the hold's cabin that it gives up itself.
 */
export function heldAgain(
  occupancy: Occupancy,
  { hold, bookingId, freed }: { hold: ActiveHold | undefined; bookingId: string; freed: number },
  at: Instant,
): readonly SeatsHeld[] {
  if (hold === undefined || hold.expiresAt <= at) return [];
  const { seats, cabin } = hold;
  // Another ship may lack them.
  if (seats.some((seat) => cabinOfSeat(occupancy, seat) !== cabin)) return [];
  if (unavailableSeats(occupancy, seats, cabin, { holdId: null, bookingId }, at) !== undefined) return [];
  if (seatsLeft(occupancy, cabin, at) + freed < seats.length) return [];
  return [{ type: "SeatsHeld", at, data: { ...hold } }];
}

/** Cents, one per seat, in the order of `seats`. */
export function surchargesOf(occupancy: Occupancy, cabin: Cabin, seats: readonly string[]): readonly number[] {
  const layout = occupancy.cabins.get(cabin)?.layout;
  return seats.map((seat) => (layout === undefined ? undefined : seatAt(layout, seat))?.price ?? 0);
}
