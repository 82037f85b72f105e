import type { Reseated } from "../shared/flight-change.ts";
import type { Cabin } from "../shared/values.ts";
import type { FlightEvent, FlightScheduled, SeatChangeReserved, SeatsHeld } from "./events.ts";

/** A hold whose end is not recorded. */
export type ActiveHold = SeatsHeld["data"];

/** The seats and capacity of a booking on a flight. */
export interface Party {
  readonly cabin: Cabin;
  readonly passengers: number;
  /** Empty until the booking has seats. */
  readonly seats: readonly string[];
  /** The hold that these seats came from. */
  readonly hold?: ActiveHold;
  readonly change: OpenChange | null;
  /** It has no place in its cabin since another ship has come, and no seats. */
  readonly overfull?: true;
}

/**
 * New seats reserved in addition to the old. A passenger's old and new seat together count once against the capacity.
 * With a cabin, the change also takes capacity there until it ends.
 */
type OpenChange = Pick<SeatChangeReserved["data"], "changeId" | "seats" | "cabin" | "automatic"> & {
  /** The hold that its seats came from. */
  readonly hold?: ActiveHold;
};

/** Events that change occupancy or fares of a scheduled flight. */
export type OccupancyEvent = Exclude<FlightEvent, FlightScheduled>;

/** The hold that an event ends; null if none. */
export function endedHold(event: OccupancyEvent): string | null {
  return event.type !== "SeatsHeld" && "holdId" in event.data ? event.data.holdId : null;
}

/** The booking whose seats or capacity an event changes; null if none. */
export function affectedBooking(event: OccupancyEvent): string | null {
  return "bookingId" in event.data ? event.data.bookingId : null;
}

/** The party after one of its events; undefined if nothing is left. `hold`: the hold that the event ends. */
export function evolveParty(party: Party | undefined, event: OccupancyEvent, hold?: ActiveHold): Party | undefined {
  const from = hold === undefined ? {} : { hold };
  if (event.type === "SeatsAllocated") {
    const { cabin, passengers, seats } = event.data;
    return { cabin, passengers, seats, ...from, change: null };
  }
  if (party === undefined || event.type === "AllocationReleased") return undefined;
  if (event.type === "SeatChangeReserved") {
    const { changeId, seats, cabin, automatic } = event.data;
    const change = {
      changeId,
      seats,
      ...(cabin !== undefined && { cabin }),
      ...(automatic !== undefined && { automatic }),
      ...from,
    };
    return { ...party, change };
  }
  const { change } = party;
  if (!("changeId" in event.data) || change?.changeId !== event.data.changeId) return party;
  if (event.type === "SeatChangeDropped") return { ...party, change: null };
  const { hold: _, overfull: __, ...kept } = party;
  const changed = { ...kept, cabin: change.cabin ?? party.cabin, seats: change.seats, change: null };
  return change.hold === undefined ? changed : { ...changed, hold: change.hold };
}

/** All seats booked for the party, including those of an open change. */
export function seatsOfParty({ seats, change }: Party): readonly string[] {
  return change === null ? seats : [...seats, ...change.seats];
}

/** The cabins in which the party takes capacity for all of its passengers. */
export function cabinsOfParty({ cabin, change, overfull }: Party): readonly Cabin[] {
  if (overfull === true) return change === null ? [] : [change.cabin ?? cabin];
  return change?.cabin === undefined ? [cabin] : [cabin, change.cabin];
}

/** The party on another ship. A hold that its seats came from is not given back any more. */
export function reseatedParty<P extends Party>(party: P, { seats, overfull }: Omit<Reseated, "bookingId">): P {
  const { hold: _, overfull: __, ...kept } = party;
  return { ...kept, seats, ...(overfull && { overfull }) } as P;
}
