import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import { seatStatus } from "./availability.ts";
import { closestParties, type FreeSeat, freeSeats, type PartyPlace } from "./closest-parties.ts";
import { NO_SEAT_PREFERENCES, type PassengerSeatPreferences } from "./commands.ts";
import type { Occupancy } from "./occupancy.ts";

/** Cryosleep pods are for journeys longer than a year (docs/rules.md#travel-preferences). */
const MIN_DAYS_FOR_CRYOSLEEP = 365;

/**
 * Assigns available seats of a cabin, one per element of `preferences` and in that order: the party as close together
 * as possible, then by preference, then from the front (docs/rules.md#how-seats-are-assigned). Deterministic. Returns
 * undefined if too few seats are free.
 */
export function automaticSeats(
  occupancy: Occupancy,
  cabin: Cabin,
  preferences: readonly PassengerSeatPreferences[],
  at: Instant,
): readonly string[] | undefined {
  const plan = occupancy.plan.cabins.find((one) => one.cabin === cabin);
  if (plan === undefined) return undefined;
  const isLongJourney = occupancy.plan.durationDays > MIN_DAYS_FOR_CRYOSLEEP;
  const applicable = preferences.map(({ seat, cryosleep }) => ({ seat, cryosleep: cryosleep && isLongJourney }));
  const free = freeSeats(plan, (seat) => seatStatus(occupancy, cabin, seat, at) === "available");
  return bestPlaces(free, applicable)?.seats.map(({ seat }) => seat.number);
}

/** Free seats of a cabin that fills with parties who prefer none. Each sits as if it were the only one. */
export class FillingSeats {
  readonly #free: FreeSeat[][];
  /** By size of the party. Seats are only taken, so nobody sits better than the last one did, or as well further in front. */
  readonly #last = new Map<number, SeatedParty>();

  constructor(free: readonly (readonly FreeSeat[])[]) {
    this.#free = free.map((row) => [...row]);
  }

  /** Takes seats as close together as possible; undefined: too few are free. */
  seat(passengers: number): readonly FreeSeat[] | undefined {
    const preferences = Array.from({ length: passengers }, () => NO_SEAT_PREFERENCES);
    const last = this.#last.get(passengers);
    const again = last && bestPlaces(this.#free, preferences, last);
    const best = again?.penalty === last?.penalty ? again : undefined;
    const seated = best ?? bestPlaces(this.#free, preferences);
    if (seated === undefined) return undefined;
    this.#last.set(passengers, seated);
    for (const { row } of seated.seats)
      this.#free[row] = this.#free[row]?.filter((place) => !seated.seats.includes(place)) ?? [];
    return seated.seats;
  }
}

interface SeatedParty extends SeatArrangement {
  readonly place: PartyPlace;
}

/**
 * The same, of these free seats of a cabin; a pod is for whoever wants one.
 * @param last nobody sits better, or as well further in front: looks only for who sits as well.
 */
function bestPlaces(
  free: readonly (readonly FreeSeat[])[],
  preferences: readonly PassengerSeatPreferences[],
  last?: SeatedParty,
): SeatedParty | undefined {
  const least = last?.penalty ?? 0;
  let best: SeatedParty | undefined;
  closestParties(
    free,
    preferences.length,
    (party, distance, closer) => {
      if (closer || best?.penalty !== least) {
        const arrangement = seatPassengers(party, preferences);
        const [first, end] = [party.at(0)?.row ?? 0, party.at(-1)?.row ?? 0];
        if (closer || best === undefined || arrangement.penalty < best.penalty)
          best = { ...arrangement, place: { ...distance, row: first, rows: end - first } };
      }
      return best?.penalty === least ? "enough" : undefined;
    },
    last?.place,
  );
  return best;
}

/** A party has at most nine passengers, so penalties of one kind never add up to one of the next kind. */
const MISSING_POD = 1_000;
const WRONG_SEAT_KIND = 100;
const RESERVED_FEATURE = 1;

/** Penalty of a seat for a passenger; 0 for a seat that fits. */
function penaltyOf({ seat: { features } }: FreeSeat, { seat, cryosleep }: PassengerSeatPreferences): number {
  const isPod = features.includes("cryosleep_pod");
  // Other passengers may need these seats, so they are assigned only if no other seat is as good.
  const isReserved = features.includes("exit_row") || features.includes("accessible") || (isPod && !cryosleep);
  return (
    (cryosleep && !isPod ? MISSING_POD : 0) +
    (seat !== "any" && !features.includes(seat) ? WRONG_SEAT_KIND : 0) +
    (isReserved ? RESERVED_FEATURE : 0)
  );
}

interface SeatArrangement {
  /** One per passenger, in their order. */
  readonly seats: readonly FreeSeat[];
  /** 0 if every passenger gets the preferred seat. */
  readonly penalty: number;
}

/**
 * Distributes one seat per passenger with the least total penalty: first as many pods as possible to passengers who
 * want one, then as many preferred kinds of seat. Among equal results the first passenger gets the first seat.
 */
function seatPassengers(
  places: readonly FreeSeat[],
  preferences: readonly PassengerSeatPreferences[],
): SeatArrangement {
  const all = 2 ** places.length - 1;
  const costs = preferences.map((preference) => places.map((place) => penaltyOf(place, preference)));
  const known = new Map<number, number>([[all, 0]]);
  /** The least penalty of seating this passenger and all later ones in the seats that `taken` leaves free. */
  const rest = (passenger: number, taken: number): number => {
    const before = known.get(taken);
    if (before !== undefined) return before;
    let least = Number.POSITIVE_INFINITY;
    costs[passenger]?.forEach((cost, index) => {
      if ((taken & (1 << index)) === 0) least = Math.min(least, cost + rest(passenger + 1, taken | (1 << index)));
    });
    known.set(taken, least);
    return least;
  };
  const seated: FreeSeat[] = [];
  let taken = 0;
  for (const [passenger, own] of costs.entries()) {
    const least = rest(passenger, taken);
    const index = own.findIndex(
      (cost, place) => (taken & (1 << place)) === 0 && cost + rest(passenger + 1, taken | (1 << place)) === least,
    );
    seated.push(places[index] as FreeSeat);
    taken |= 1 << index;
  }
  return { seats: seated, penalty: rest(0, 0) };
}
