import {
  addHold,
  addOccupant,
  type Cabin,
  emptyOccupancy,
  type FlightPlan,
  type Instant,
  type Occupancy,
} from "@travel-booking/domain";

/**
 * An occupancy as JSON, for a document of a read model. Ids are list items, never field names. Holds are in the order
 * they expire.
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

export function deserializeOccupancy(serialized: SerializedOccupancy): Occupancy {
  const occupancy = emptyOccupancy(serialized.plan);
  for (const [holdId, cabin, expiresAt, seats] of serialized.holds)
    addHold(occupancy, { holdId, cabin, expiresAt, seats });
  for (const [bookingId, cabin, passengers, seats, changeId, newSeats, newCabin] of serialized.occupants) {
    const change =
      changeId === null ? null : { changeId, seats: newSeats, ...(newCabin != null && { cabin: newCabin }) };
    addOccupant(occupancy, { bookingId, cabin, passengers, seats, change });
  }
  return occupancy;
}
