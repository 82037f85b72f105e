import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { CabinCapacity, RecordedSeats } from "./availability.ts";
import type { CabinPlan, FareChanged, FlightPlan } from "./events.ts";
import { HoldQueue } from "./hold-queue.ts";
import {
  type ActiveHold,
  affectedBooking,
  cabinsOfParty,
  endedHold,
  evolveParty,
  type OccupancyEvent,
  type Party,
  seatsOfParty,
} from "./party.ts";
import { type CabinLayout, layoutOf } from "./seat-layout.ts";

interface CabinRoom extends CabinCapacity {
  readonly layout: CabinLayout;
  committed: number;
  held: number;
}

/** A booking on the flight now. */
export interface Occupant extends Party {
  readonly bookingId: string;
  readonly accountId: string;
}

/** The holds and bookings of a flight now. */
export class Occupancy implements RecordedSeats {
  /** With the current fares. */
  plan: FlightPlan;
  readonly cabins: Map<Cabin, CabinRoom>;
  readonly holds: HoldQueue;
  readonly occupants: Map<string, Occupant>;
  /** The bookings by the ids of their open changes. */
  readonly changing: Map<string, Occupant>;
  /**
   * By seat number. A freed seat keeps its entry, as null: deleting a key slows down its bucket until the next rebuild
   * of the map, which would hurt a seat that clients hold and release repeatedly.
   */
  readonly heldBy: Map<string, ActiveHold | null>;
  /** The booking by seat number; null as above. */
  readonly bookedBy: Map<string, string | null>;

  /** An empty flight, or an independent copy of one that is not. */
  constructor(plan: FlightPlan, from?: Occupancy) {
    this.plan = plan;
    this.cabins =
      from === undefined ? emptyRooms(plan) : new Map(Array.from(from.cabins, ([id, room]) => [id, { ...room }]));
    this.holds = new HoldQueue(new Map(from?.holds.active));
    this.occupants = new Map(from?.occupants);
    this.changing = new Map(from?.changing);
    this.heldBy = new Map(from?.heldBy);
    this.bookedBy = new Map(from?.bookedBy);
  }

  capacityOf(cabin: Cabin): CabinCapacity | undefined {
    return this.cabins.get(cabin);
  }

  isBlocked(cabin: Cabin, seat: string): boolean {
    return this.cabins.get(cabin)?.layout.blocked.has(seat) === true;
  }

  isBooked(_: Cabin, seat: string): boolean {
    return (this.bookedBy.get(seat) ?? null) !== null;
  }

  heldUntil(seat: string): Instant | null {
    return this.heldBy.get(seat)?.expiresAt ?? null;
  }

  expiredHolds(at: Instant): readonly ActiveHold[] {
    return this.holds.expired(at);
  }
}

function emptyRooms({ cabins }: FlightPlan): Map<Cabin, CabinRoom> {
  return new Map(
    cabins.map((plan) => {
      const layout = layoutOf(plan);
      return [plan.cabin, { layout, unblocked: layout.unblocked, committed: 0, held: 0 }];
    }),
  );
}

/** Folds one event in. Mutates the occupancy and returns it. */
export function evolveOccupancy(occupancy: Occupancy, event: OccupancyEvent): Occupancy {
  if (event.type === "FareChanged") occupancy.plan = withFare(occupancy.plan, event.data);
  if (event.type === "SeatsHeld") addHold(occupancy, event.data);
  const holdId = endedHold(event);
  if (holdId !== null) endHold(occupancy, holdId);
  const bookingId = affectedBooking(event);
  if (bookingId !== null) changeOccupant(occupancy, bookingId, event);
  return occupancy;
}

/** A plan with another fare in one cabin. */
export function withFare(plan: FlightPlan, { cabin, amount }: FareChanged["data"]): FlightPlan {
  const changed = (one: CabinPlan) => (one.cabin === cabin ? { ...one, amount } : one);
  return { ...plan, cabins: plan.cabins.map(changed) };
}

function addHold(occupancy: Occupancy, hold: ActiveHold): void {
  occupancy.holds.add(hold);
  for (const seat of hold.seats) occupancy.heldBy.set(seat, hold);
  const room = occupancy.cabins.get(hold.cabin);
  if (room !== undefined) room.held += hold.seats.length;
}

function endHold(occupancy: Occupancy, holdId: string): void {
  const hold = occupancy.holds.active.get(holdId);
  if (hold === undefined) return;
  occupancy.holds.remove(hold);
  // A new hold may take a seat before the expiry of its old hold is recorded.
  for (const seat of hold.seats) if (occupancy.heldBy.get(seat) === hold) occupancy.heldBy.set(seat, null);
  const room = occupancy.cabins.get(hold.cabin);
  if (room !== undefined) room.held -= hold.seats.length;
}

function changeOccupant(occupancy: Occupancy, bookingId: string, event: OccupancyEvent): void {
  const { occupants, changing } = occupancy;
  const before = occupants.get(bookingId);
  const party = evolveParty(before, event);
  if (before !== undefined) book(occupancy, before, null);
  if (before?.change) changing.delete(before.change.changeId);
  const accountId = event.type === "SeatsAllocated" ? event.data.accountId : before?.accountId;
  if (party === undefined || accountId === undefined) {
    occupants.delete(bookingId);
    return;
  }
  const after = { ...party, bookingId, accountId };
  book(occupancy, after, bookingId);
  if (after.change !== null) changing.set(after.change.changeId, after);
  occupants.set(bookingId, after);
}

/** Takes seats and capacity for a booking; `owner` null gives them back. */
function book(occupancy: Occupancy, party: Party, owner: string | null): void {
  for (const seat of seatsOfParty(party)) occupancy.bookedBy.set(seat, owner);
  for (const cabin of cabinsOfParty(party)) {
    const room = occupancy.cabins.get(cabin);
    if (room !== undefined) room.committed += owner === null ? -party.passengers : party.passengers;
  }
}
