import type { CabinPlan } from "../shared/cabin-plan.ts";
import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import type { CabinCapacity, RecordedSeats } from "./availability.ts";
import { type Sale, saleAfter } from "./disruption.ts";
import type { EquipmentChanged, FlightEvent, FlightPlan, SeatBlocked, SeatUnblocked } from "./events.ts";
import { HoldQueue } from "./hold-queue.ts";
import {
  type ActiveHold,
  affectedBooking,
  cabinsOfParty,
  endedHold,
  evolveParty,
  type OccupancyEvent,
  type Party,
  reseatedParty,
  seatsOfParty,
} from "./party.ts";
import { type CabinLayout, layoutOf } from "./seat-layout.ts";

interface CabinRoom extends CabinCapacity {
  readonly layout: CabinLayout;
  unblocked: number;
  committed: number;
  held: number;
  overfull: number;
  /** Held places and those of bookings that are not known to be paid, by account. */
  readonly unpaid: Map<string, number>;
}

/** The present seats and capacity of a booking on the flight. */
export interface Occupant extends Party {
  readonly accountId: string;
  /** The payment as the flight knows it. A refund is final, unless it is never started. */
  readonly payment: "unknown" | "paid" | CountedRefund;
  /** The move by which it got its places. Absent: it was made with them. */
  readonly moveId?: string;
  /** That of the flight when it got them by a move. Absent: 0. */
  readonly flightRevision?: number;
}

/** The last refund that is to leave less than half; null: a former release told of it. */
interface CountedRefund {
  readonly refundId: string | null;
}

/** Undefined: none. */
export function countedRefund(occupant: Occupant | undefined): CountedRefund | undefined {
  return typeof occupant?.payment === "object" ? occupant.payment : undefined;
}

/** The present holds and bookings of a flight. */
export class Occupancy implements RecordedSeats {
  /** With the current fares. */
  plan: FlightPlan;
  sale: Sale;
  readonly cabins: Map<Cabin, CabinRoom>;
  readonly holds: HoldQueue;
  /** By booking. */
  readonly occupants: Map<string, Occupant>;
  /** The bookings by the ids of their open changes. */
  readonly changing: Map<string, string>;
  /** Equal values are one object, because there are few accounts, but many holds and bookings. */
  readonly shared: Map<string, unknown>;
  /**
   * By seat number. A freed seat keeps its entry, as null. Deleting a key slows down its bucket until the map is
   * rebuilt, which would hurt a seat that clients hold and release repeatedly.
   */
  readonly heldBy: Map<string, ActiveHold | null>;
  /** The booking by seat number; null as above. */
  readonly bookedBy: Map<string, string | null>;
  /** Seats that operators have blocked, besides those of the plan, with why. */
  readonly blocked: Map<string, string | null>;

  /** An empty flight, or an independent copy of `from`. */
  constructor(plan: FlightPlan, from?: Occupancy) {
    this.plan = plan;
    this.sale = from?.sale ?? "open";
    this.cabins = from === undefined ? emptyRooms(plan) : copyOfRooms(from.cabins);
    this.holds = new HoldQueue(new Map(from?.holds.active));
    this.occupants = new Map(from?.occupants);
    this.changing = new Map(from?.changing);
    this.shared = from?.shared ?? new Map();
    this.heldBy = new Map(from?.heldBy);
    this.bookedBy = new Map(from?.bookedBy);
    this.blocked = new Map(from?.blocked);
  }

  capacityOf(cabin: Cabin): CabinCapacity | undefined {
    return this.cabins.get(cabin);
  }

  isBlocked(cabin: Cabin, seat: string): boolean {
    return this.blocked.has(seat) || this.cabins.get(cabin)?.layout.blocked.has(seat) === true;
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
      return [
        plan.cabin,
        { layout, unblocked: layout.unblocked, committed: 0, held: 0, overfull: 0, unpaid: new Map() },
      ];
    }),
  );
}

function copyOfRooms(rooms: Occupancy["cabins"]): Map<Cabin, CabinRoom> {
  return new Map(Array.from(rooms, ([id, room]) => [id, { ...room, unpaid: new Map(room.unpaid) }]));
}

/** Folds one event in. Mutates the occupancy and returns it. */
export function evolveOccupancy(occupancy: Occupancy, event: OccupancyEvent): Occupancy {
  occupancy.plan = planAfter(occupancy.plan, event);
  if (event.type === "EquipmentChanged") changeShip(occupancy, event);
  if (event.type === "SeatBlocked" || event.type === "SeatUnblocked") changeBlocked(occupancy, event);
  occupancy.sale = saleAfter(event) ?? occupancy.sale;
  if (event.type === "SeatsHeld") addHold(occupancy, event.data);
  const holdId = endedHold(event);
  const hold = holdId === null ? undefined : occupancy.holds.active.get(holdId);
  if (hold !== undefined) endHold(occupancy, hold);
  const bookingId = affectedBooking(event);
  if (bookingId !== null) changeOccupant(occupancy, bookingId, event, hold);
  if (event.type === "SeatsPaid" && event.data.revocable === true)
    for (const paid of event.data.bookingIds) markPaid(occupancy, paid);
  return occupancy;
}

/** The plan with another fare in one cabin, at other times, or with another ship; the same after any other event. */
export function planAfter(plan: FlightPlan, event: FlightEvent): FlightPlan {
  if (event.type === "FlightRetimed") {
    const { departsAt, durationDays } = event.data;
    return { ...plan, departsAt, durationDays };
  }
  if (event.type === "EquipmentChanged") return { ...plan, cabins: event.data.cabins };
  if (event.type !== "FareChanged") return plan;
  const { cabin, amount } = event.data;
  const changed = (one: CabinPlan) => (one.cabin === cabin ? { ...one, amount } : one);
  return { ...plan, cabins: plan.cabins.map(changed) };
}

/** Everybody takes seats and capacity anew on the ship that the plan has now. */
function changeShip(occupancy: Occupancy, { data }: EquipmentChanged): void {
  const { plan, cabins, holds, occupants } = occupancy;
  for (const all of [cabins, occupancy.heldBy, occupancy.bookedBy, occupancy.blocked]) all.clear();
  for (const [cabin, room] of emptyRooms(plan)) cabins.set(cabin, room);
  for (const hold of holds.active.values()) takeHeld(occupancy, hold);
  const reseated = new Map(data.reseated.map((one) => [one.bookingId, one]));
  for (const [bookingId, before] of occupants) {
    const moved = reseated.get(bookingId);
    const after = moved === undefined ? before : interned(occupancy, reseatedParty(before, moved));
    occupants.set(bookingId, after);
    book(occupancy, after, bookingId);
  }
}

function changeBlocked({ cabins, blocked }: Occupancy, event: SeatBlocked | SeatUnblocked): void {
  const { cabin, seat } = event.data;
  const room = cabins.get(cabin);
  if (room === undefined) return;
  if (event.type === "SeatBlocked") blocked.set(seat, event.data.reason);
  else blocked.delete(seat);
  room.unblocked += event.type === "SeatBlocked" ? -1 : 1;
}

function addHold(occupancy: Occupancy, hold: ActiveHold): void {
  occupancy.holds.add(hold);
  takeHeld(occupancy, hold);
}

function takeHeld(occupancy: Occupancy, hold: ActiveHold): void {
  for (const seat of hold.seats) occupancy.heldBy.set(seat, hold);
  countHeld(occupancy, hold, hold.seats.length);
}

function endHold(occupancy: Occupancy, hold: ActiveHold): void {
  occupancy.holds.remove(hold);
  // A new hold may take a seat before the expiry of its old hold is recorded.
  for (const seat of hold.seats) if (occupancy.heldBy.get(seat) === hold) occupancy.heldBy.set(seat, null);
  countHeld(occupancy, hold, -hold.seats.length);
}

function countHeld(occupancy: Occupancy, { cabin, accountId }: ActiveHold, places: number): void {
  const room = occupancy.cabins.get(cabin);
  if (room === undefined) return;
  room.held += places;
  countUnpaid(room, accountId, places);
}

/** An account stays in the map: there are few, and a key that is deleted and added again slows a map down. */
function countUnpaid({ unpaid }: CabinRoom, accountId: string, places: number): void {
  unpaid.set(accountId, (unpaid.get(accountId) ?? 0) + places);
}

function changeOccupant(
  occupancy: Occupancy,
  bookingId: string,
  event: OccupancyEvent,
  hold: ActiveHold | undefined,
): void {
  const before = occupancy.occupants.get(bookingId);
  const party = evolveParty(before, event, hold);
  const accountId = event.type === "SeatsAllocated" ? event.data.accountId : before?.accountId;
  const payment = paymentAfter(event, before);
  const { moveId, flightRevision } = event.type === "SeatsAllocated" ? event.data : (before ?? {});
  const move = moveId === undefined ? {} : { moveId, ...(flightRevision !== undefined && { flightRevision }) };
  const placed = { payment, ...move };
  const isThere = party !== undefined && accountId !== undefined;
  replaceOccupant(occupancy, bookingId, before, isThere ? { ...party, accountId, ...placed } : undefined);
}

function paymentAfter(event: OccupancyEvent, before: Occupant | undefined): Occupant["payment"] {
  // A move counts in no quota of unpaid seats.
  if (event.type === "SeatsAllocated" && event.data.moveId !== undefined) return "paid";
  if (event.type === "SeatsRefunded") return { refundId: event.data.refundId ?? null };
  return event.type === "SeatsRefundUndone" ? "unknown" : (before?.payment ?? "unknown");
}

function markPaid(occupancy: Occupancy, bookingId: string): void {
  const before = occupancy.occupants.get(bookingId);
  if (before !== undefined) replaceOccupant(occupancy, bookingId, before, { ...before, payment: "paid" });
}

function replaceOccupant(
  occupancy: Occupancy,
  bookingId: string,
  before: Occupant | undefined,
  after: Occupant | undefined,
): void {
  const { occupants, changing } = occupancy;
  if (before !== undefined) book(occupancy, before, null);
  if (before?.change) changing.delete(before.change.changeId);
  if (after === undefined) {
    occupants.delete(bookingId);
    return;
  }
  book(occupancy, after, bookingId);
  if (after.change !== null) changing.set(after.change.changeId, bookingId);
  occupants.set(bookingId, interned(occupancy, after));
}

/** Returns one object for all equal bookings without seats, refunds and moves, that have a place. */
function interned(occupancy: Occupancy, occupant: Occupant): Occupant {
  const { accountId, cabin, passengers, seats, change, payment, moveId, overfull } = occupant;
  const isAlone = change !== null || typeof payment === "object" || moveId !== undefined || overfull === true;
  if (seats.length > 0 || isAlone) return occupant;
  return shared(occupancy, `${cabin} ${passengers} ${payment} ${accountId}`, occupant);
}

/** The first value with this text. */
export function shared<Value>({ shared: values }: Occupancy, text: string, value: Value): Value {
  const known = values.get(text);
  if (known !== undefined) return known as Value;
  values.set(text, value);
  return value;
}

/** Takes seats and capacity for a booking; `owner` null gives them back. */
function book(occupancy: Occupancy, occupant: Occupant, owner: string | null): void {
  for (const seat of seatsOfParty(occupant)) occupancy.bookedBy.set(seat, owner);
  const places = owner === null ? -occupant.passengers : occupant.passengers;
  const without = occupant.overfull === true ? occupancy.cabins.get(occupant.cabin) : undefined;
  if (without !== undefined) without.overfull += places;
  for (const cabin of cabinsOfParty(occupant)) {
    const room = occupancy.cabins.get(cabin);
    if (room === undefined) continue;
    room.committed += places;
    if (occupant.payment !== "paid") countUnpaid(room, occupant.accountId, places);
  }
}
