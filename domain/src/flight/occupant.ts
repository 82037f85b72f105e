import type { Cabin } from "../shared/values.ts";
import type { FlightEvent, FlightScheduled, SeatsHeld } from "./events.ts";

/** A hold whose end is not recorded. */
export type ActiveHold = Pick<SeatsHeld["data"], "holdId" | "cabin" | "seats" | "expiresAt">;

/** The seats and capacity of a booking on the flight now. */
export interface Occupant {
  readonly bookingId: string;
  readonly cabin: Cabin;
  readonly passengers: number;
  /** Empty until the booking has seats. */
  readonly seats: readonly string[];
  /**
   * New seats reserved beside the old; a passenger's old and new seat together count once against the capacity. With a
   * cabin, the change also takes capacity there until it ends.
   */
  readonly change: { readonly changeId: string; readonly seats: readonly string[]; readonly cabin?: Cabin } | null;
}

/** Events that change occupancy or fares of a scheduled flight. */
export type OccupancyEvent = Exclude<FlightEvent, FlightScheduled>;

/** The hold that an event ends; null: none. */
export function endedHold(event: OccupancyEvent): string | null {
  return event.type !== "SeatsHeld" && "holdId" in event.data ? event.data.holdId : null;
}

/** The booking whose seats or capacity an event changes; null: none. */
export function affectedBooking(event: OccupancyEvent): string | null {
  return "bookingId" in event.data ? event.data.bookingId : null;
}

/** A booking on the flight after one of its events; undefined where it has nothing there. */
export function evolveOccupant(occupant: Occupant | undefined, event: OccupancyEvent): Occupant | undefined {
  if (event.type === "SeatsAllocated") {
    const { bookingId, cabin, passengers, seats } = event.data;
    return { bookingId, cabin, passengers, seats, change: null };
  }
  if (occupant === undefined || event.type === "AllocationReleased") return undefined;
  if (event.type === "SeatChangeReserved") {
    const { changeId, seats, cabin } = event.data;
    return { ...occupant, change: { changeId, seats, ...(cabin !== undefined && { cabin }) } };
  }
  const { change } = occupant;
  if (!("changeId" in event.data) || change?.changeId !== event.data.changeId) return occupant;
  if (event.type === "SeatChangeDropped") return { ...occupant, change: null };
  return { ...occupant, cabin: change.cabin ?? occupant.cabin, seats: change.seats, change: null };
}

/** All seats that are booked for it, those of an open change included. */
export function seatsOfOccupant({ seats, change }: Occupant): readonly string[] {
  return change === null ? seats : [...seats, ...change.seats];
}

/** The cabins in which it takes capacity for all of its passengers. */
export function cabinsOfOccupant({ cabin, change }: Occupant): readonly Cabin[] {
  return change?.cabin === undefined ? [cabin] : [cabin, change.cabin];
}
