import {
  type Cabin,
  type CabinPlan,
  cabinsOfParty,
  type FlightPlan,
  layoutOf,
  type Party,
  type SeatBlocked,
  type SeatUnblocked,
  seatIndex,
  seatsOf,
  seatsOfParty,
} from "@travel-booking/domain";
import {
  holdEntry,
  SEAT_CHARACTER,
  type StoredCabin,
  type StoredHold,
  type StoredSeats,
} from "@travel-booking/read-models";

/** The seats of an empty flight. */
export function emptySeats({ cabins }: FlightPlan): StoredSeats {
  return { cabins: cabins.map(emptyCabin), holds: "" };
}

function emptyCabin(plan: CabinPlan): StoredCabin {
  const { blocked, unblocked } = layoutOf(plan);
  const seats = seatsOf(plan).map(({ number }) => (blocked.has(number) ? SEAT_CHARACTER.blocked : SEAT_CHARACTER.free));
  return { unblocked, committed: 0, held: 0, seats: seats.join("") };
}

/** What one event changes on a flight. */
export interface SeatChanges {
  held?: StoredHold;
  /** The hold that the event ends. */
  ended?: StoredHold | undefined;
  /** The booking that the event changes. */
  before?: Party | undefined;
  after?: Party | undefined;
  /** The seat that it takes out of sale, or gives back. */
  blocking?: SeatBlocked | SeatUnblocked;
}

export interface ReseatedBooking {
  readonly before: Party;
  readonly after: Party;
}

/**
 * The seats after an event. The cost depends on the seats of the flight and on those held, not on the bookings.
 * Documents may still be being written, so nothing is changed in place.
 */
export function changeSeats(
  plan: FlightPlan,
  seats: StoredSeats,
  { held, ended, before, after, blocking }: SeatChanges,
): StoredSeats {
  const cabins = [...seats.cabins];
  const change = (id: Cabin, changed: (cabin: StoredCabin, plan: CabinPlan) => Partial<StoredCabin>) => {
    const index = plan.cabins.findIndex(({ cabin }) => cabin === id);
    const cabin = cabins[index];
    const planned = plan.cabins[index];
    if (cabin !== undefined && planned !== undefined) cabins[index] = { ...cabin, ...changed(cabin, planned) };
  };
  const commit = (party: Party, passengers: number) => {
    for (const id of cabinsOfParty(party)) change(id, ({ committed }) => ({ committed: committed + passengers }));
    if (party.overfull) change(party.cabin, ({ overfull = 0 }) => ({ overfull: overfull + passengers }));
  };
  const mark = (party: Party, character: string) =>
    change(party.cabin, (cabin, planned) => ({
      seats: seatsOfParty(party).reduce(
        (all, seat) => replaceAt(all, seatIndex(planned, seat), character),
        cabin.seats,
      ),
    }));

  let { holds } = seats;
  if (held !== undefined) {
    holds = withHold(holds, held);
    change(held.cabin, (cabin) => ({ held: cabin.held + held.seats.length }));
  }
  if (ended !== undefined) {
    holds = holds.replace(holdEntry(ended), "");
    change(ended.cabin, (cabin) => ({ held: cabin.held - ended.seats.length }));
  }
  if (before !== undefined) {
    commit(before, -before.passengers);
    mark(before, SEAT_CHARACTER.free);
  }
  if (after !== undefined) {
    commit(after, after.passengers);
    mark(after, SEAT_CHARACTER.booked);
  }
  if (blocking !== undefined) {
    const { type, data } = blocking;
    const [character, added] = type === "SeatBlocked" ? [SEAT_CHARACTER.blocked, -1] : [SEAT_CHARACTER.free, 1];
    change(data.cabin, (cabin, planned) => ({
      unblocked: cabin.unblocked + added,
      seats: replaceAt(cabin.seats, seatIndex(planned, data.seat), character),
    }));
  }
  return { ...seats, cabins, holds };
}

/**
 * The seats on another ship. Whoever is not among these bookings has the seats that it had; those of holds are all there.
 * @param reseated each with what it had before.
 */
export function seatsOnShip(
  before: FlightPlan,
  ship: FlightPlan,
  seats: StoredSeats,
  reseated: readonly ReseatedBooking[],
): StoredSeats {
  const kept = reseated.reduce((left, { before: party }) => changeSeats(before, left, { before: party }), seats);
  const cabins = ship.cabins.map((planned) => {
    const index = before.cabins.findIndex(({ cabin }) => cabin === planned.cabin);
    const [plan, stored] = [before.cabins[index], kept.cabins[index]];
    const empty = emptyCabin(planned);
    if (plan === undefined || stored === undefined) return empty;
    const characters = [...empty.seats];
    for (const [place, { number }] of seatsOf(plan).entries())
      if (stored.seats[place] === SEAT_CHARACTER.booked) characters[seatIndex(planned, number)] = SEAT_CHARACTER.booked;
    return { ...empty, committed: stored.committed, held: stored.held, seats: characters.join("") };
  });
  const onShip: StoredSeats = { ...seats, cabins };
  return reseated.reduce((filled, { after: party }) => changeSeats(ship, filled, { after: party }), onShip);
}

/** Keeps holds sorted by expiry. A new hold comes last, but a hold that is given back may not. */
function withHold(holds: string, held: StoredHold): string {
  const expiryOf = (entry: string) => Number.parseInt(entry, 10);
  const last = holds.slice(holds.lastIndexOf(";", holds.length - 2) + 1);
  if (last === "" || expiryOf(last) <= held.expiresAt) return holds + holdEntry(held);
  const entries = holds.split(/(?<=;)/);
  const place = entries.findIndex((entry) => expiryOf(entry) > held.expiresAt);
  return entries.toSpliced(place, 0, holdEntry(held)).join("");
}

function replaceAt(text: string, index: number, character: string): string {
  return text.slice(0, index) + character + text.slice(index + 1);
}
