import type { CabinPlan } from "../shared/cabin-plan.ts";
import type { Instant } from "../shared/decision.ts";
import type { Reseated } from "../shared/flight-change.ts";
import { sameItems } from "../shared/values.ts";
import { FillingSeats } from "./automatic-seats.ts";
import { freeSeats } from "./closest-parties.ts";
import type { Occupancy, Occupant } from "./occupancy.ts";
import { type CabinLayout, layoutOf, seatAt } from "./seat-layout.ts";

/** Who sits where once another ship has come. */
export interface Seating {
  /** The bookings whose seats change, and all that have no place. */
  readonly reseated: readonly Reseated[];
  /** The holds that lose a seat or their room. */
  readonly released: readonly string[];
}

/**
 * Seats everybody on a ship with these cabins (docs/rules.md#another-ship). Places go to confirmed bookings first, then to the others
 * in the order in which they were made, then to holds. A party keeps its seat numbers where all have the same features; else it
 * gets seats as they are assigned. Deterministic.
 * @param confirmed the confirmed bookings, the earliest first.
 */
export function seatingOn(
  ship: readonly CabinPlan[],
  { occupancy, confirmed }: { readonly occupancy: Occupancy; readonly confirmed: readonly string[] },
  at: Instant,
): Seating {
  const rooms = new Map(ship.map((plan) => [plan.cabin, new Room(plan, occupancy.cabins.get(plan.cabin)?.layout)]));
  const parties = inOrder(occupancy, confirmed).map(([bookingId, party]) => {
    const room = rooms.get(party.cabin);
    return { bookingId, party, room: room?.takesIn(party.passengers) === true ? room : undefined };
  });
  const moving = parties.filter(({ party: { seats }, room }) => room !== undefined && !room.keeps(seats));
  const moved = new Map(moving.map(({ bookingId, party, room }) => [bookingId, room?.seat(party.passengers)]));
  const released = [...occupancy.holds.active.values()]
    .filter(({ cabin, seats, expiresAt }) => expiresAt > at && rooms.get(cabin)?.keepsHold(seats) !== true)
    .map(({ holdId }) => holdId);
  const reseated = parties.flatMap(({ bookingId, party, room }): readonly Reseated[] => {
    if (room === undefined) return [{ bookingId, seats: [], overfull: true }];
    const seats = moved.get(bookingId);
    if (seats !== undefined) return [{ bookingId, seats }];
    return party.overfull === true ? [{ bookingId, seats: [] }] : [];
  });
  return { reseated, released };
}

/** Confirmed ones first; of others the flight knows the order in which they were made. */
function inOrder({ occupants }: Occupancy, confirmed: readonly string[]): readonly (readonly [string, Occupant])[] {
  const first = new Map(confirmed.flatMap((id) => [[id, occupants.get(id)] as const]));
  const found = [...first].flatMap(([id, party]) => (party === undefined ? [] : [[id, party] as const]));
  return [...found, ...[...occupants].filter(([id]) => !first.has(id))];
}

/** One cabin of the other ship while it fills. */
class Room {
  readonly #plan: CabinPlan;
  readonly #layout: CabinLayout;
  /** Of the present ship; undefined: it has no such cabin. */
  readonly #before: CabinLayout | undefined;
  readonly #taken = new Set<string>();
  #places: number;
  #isOverfull = false;
  #free: FillingSeats | undefined;

  constructor(plan: CabinPlan, before: CabinLayout | undefined) {
    this.#plan = plan;
    this.#layout = layoutOf(plan);
    this.#before = before;
    this.#places = this.#layout.unblocked;
  }

  /** Takes places for passengers, seated or not. False: there are too few. */
  takesIn(passengers: number): boolean {
    const fits = passengers <= this.#places;
    if (fits) this.#places -= passengers;
    else this.#isOverfull = true;
    return fits;
  }

  /** Takes the seats for who had them, if all are there and alike. */
  keeps(seats: readonly string[]): boolean {
    if (!seats.every((seat) => this.#isAlike(seat) && !this.#taken.has(seat))) return false;
    for (const seat of seats) this.#taken.add(seat);
    return true;
  }

  /** An overfull cabin keeps places for nobody but those who are booked. */
  keepsHold(seats: readonly string[]): boolean {
    if (this.#isOverfull || seats.length > this.#places || !this.keeps(seats)) return false;
    this.#places -= seats.length;
    return true;
  }

  /** Takes free seats for a party that is taken in, as close together as possible. */
  seat(passengers: number): readonly string[] {
    this.#free ??= new FillingSeats(
      freeSeats(this.#plan, (seat) => !this.#layout.blocked.has(seat) && !this.#taken.has(seat)),
    );
    const seats = this.#free.seat(passengers)?.map(({ seat }) => seat.number) ?? [];
    for (const seat of seats) this.#taken.add(seat);
    return seats;
  }

  #isAlike(number: string): boolean {
    const before = this.#before && seatAt(this.#before, number);
    const now = seatAt(this.#layout, number);
    if (before === undefined || now === undefined || this.#layout.blocked.has(number)) return false;
    return sameItems(before.features, now.features);
  }
}
