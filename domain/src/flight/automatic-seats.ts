import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import { seatStatus } from "./availability.ts";
import { closestParties, type FreeSeat, freeSeats } from "./closest-parties.ts";
import type { PassengerSeatPreferences } from "./commands.ts";
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
  return bestPlaces(free, applicable)?.map(({ seat }) => seat.number);
}

/** The same, of these free seats of a cabin; a pod is for whoever wants one. */
export function bestPlaces(
  free: readonly FreeSeat[],
  preferences: readonly PassengerSeatPreferences[],
): readonly FreeSeat[] | undefined {
  let best: SeatArrangement | undefined;
  closestParties(free, preferences.length, (party, closer) => {
    if (closer || best?.penalty !== 0) {
      const arrangement = seatPassengers(party, preferences);
      if (closer || best === undefined || arrangement.penalty < best.penalty) best = arrangement;
    }
    return best?.penalty === 0 ? "enough" : undefined;
  });
  return (best as SeatArrangement | undefined)?.seats;
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
