import {
  type Cabin,
  evolveOccupancy,
  type FlightPlan,
  type Instant,
  Occupancy,
  type OccupancyEvent,
  type RecordedSeats,
} from "@travel-booking/domain";

/**
 * The state of a flight's document as the release before stored it. It is read after an upgrade, until the projection is
 * rebuilt.
 */
export interface FormerFlight {
  readonly plan: FlightPlan;
  /** In the order they expire. */
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

/** The seats that events as these would leave. */
export function formerSeats({ plan, holds, occupants }: FormerFlight): RecordedSeats {
  const at = 0;
  const bought = { accountId: "", holdId: null, fareAmount: 0, currency: "", surcharges: [] };
  const events: OccupancyEvent[] = holds.map(([holdId, cabin, expiresAt, seats]) => {
    return { type: "SeatsHeld", at, data: { holdId, accountId: "", cabin, expiresAt, seats } };
  });
  for (const [bookingId, cabin, passengers, seats, changeId, newSeats, newCabin] of occupants) {
    events.push({ type: "SeatsAllocated", at, data: { ...bought, bookingId, cabin, passengers, seats } });
    if (changeId === null) continue;
    const change = { bookingId, changeId, seats: newSeats, surcharges: [], holdId: null };
    events.push({ type: "SeatChangeReserved", at, data: newCabin == null ? change : { ...change, cabin: newCabin } });
  }
  return events.reduce(evolveOccupancy, new Occupancy(plan));
}
