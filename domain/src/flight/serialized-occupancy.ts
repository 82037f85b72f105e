import type { Cabin } from "../shared/cabin.ts";
import type { Instant } from "../shared/decision.ts";
import type { FlightEvent, FlightPlan } from "./events.ts";
import { addHold, addOccupant, emptyOccupancy, evolveOccupancy, type Occupancy } from "./occupancy.ts";

/**
 * An occupancy as JSON, for a document of a read model. Free keys stand in lists, never as names of fields. Holds
 * are in the order they lapse in.
 */
export interface SerializedOccupancy {
  readonly plan: FlightPlan;
  readonly holds: readonly (readonly [holdId: string, cabin: Cabin, expiresAt: Instant, seats: readonly string[]])[];
  readonly occupants: readonly (readonly [
    bookingId: string,
    cabin: Cabin,
    passengers: number,
    seats: readonly string[],
    changeId: string | null,
    newSeats: readonly string[],
    newCabin?: Cabin | null,
  ])[];
}

export function serializeOccupancy(occupancy: Occupancy): SerializedOccupancy {
  return {
    plan: occupancy.plan,
    holds: Array.from(occupancy.holds.active.values(), (hold) => [hold.holdId, hold.cabin, hold.expiresAt, hold.seats]),
    occupants: Array.from(occupancy.occupants.values(), ({ bookingId, cabin, passengers, seats, change }) => [
      bookingId,
      cabin,
      passengers,
      seats,
      change?.changeId ?? null,
      change?.seats ?? [],
      change?.cabin ?? null,
    ]),
  };
}

export function deserializeOccupancy(packed: SerializedOccupancy): Occupancy {
  const occupancy = emptyOccupancy(packed.plan);
  for (const [holdId, cabin, expiresAt, seats] of packed.holds) addHold(occupancy, { holdId, cabin, expiresAt, seats });
  for (const [bookingId, cabin, passengers, seats, changeId, newSeats, newCabin] of packed.occupants) {
    const change =
      changeId === null ? null : { changeId, seats: newSeats, ...(newCabin != null && { cabin: newCabin }) };
    addOccupant(occupancy, { bookingId, cabin, passengers, seats, change });
  }
  return occupancy;
}

/**
 * Folds events of one flight, in order, into its packed occupancy; null before the flight is scheduled. Unpacking
 * costs as much as there are holds and bookings: give it all events of a batch at once.
 */
export function evolveSerializedOccupancy(
  packed: SerializedOccupancy | null,
  events: Iterable<FlightEvent>,
): SerializedOccupancy | null {
  let occupancy = packed === null ? null : deserializeOccupancy(packed);
  for (const event of events) {
    if (event.type === "FlightScheduled") occupancy = emptyOccupancy(event.data);
    else if (occupancy !== null) occupancy = evolveOccupancy(occupancy, event);
  }
  return occupancy === null ? null : serializeOccupancy(occupancy);
}
