import type { Instant } from "../shared/decision.ts";
import type { Cabin } from "../shared/values.ts";
import { closestParties, type FreeSeat, freeSeats } from "./closest-parties.ts";
import type { PassengerSeatPreferences } from "./commands.ts";
import type { Occupancy } from "./occupancy.ts";

/** Of a passenger nothing is known of. */
export const NO_SEAT_PREFERENCES: PassengerSeatPreferences = { seat: "any", cryosleep: false };

/** A cryosleep pod is of use on journeys longer than a year (docs/rules.md#travel-preferences). */
const MIN_DAYS_FOR_CRYOSLEEP = 365;

function isLongEnoughForCryosleep(durationDays: number): boolean {
  return durationDays > MIN_DAYS_FOR_CRYOSLEEP;
}

/**
 * Seats for passengers who have chosen none, one per wish and in that order: in their cabin, free, the party as close
 * together as can be, then as they wish, then from the front (docs/rules.md#how-seats-are-assigned). The same occupancy
 * at the same moment gives the same seats. Undefined: too few seats are free.
 */
export function automaticSeats(
  occupancy: Occupancy,
  cabin: Cabin,
  wishes: readonly PassengerSeatPreferences[],
  at: Instant,
): readonly string[] | undefined {
  const plan = occupancy.plan.cabins.find((one) => one.cabin === cabin);
  if (plan === undefined) return undefined;
  const pods = isLongEnoughForCryosleep(occupancy.plan.durationDays);
  const asked = wishes.map(({ seat, cryosleep }) => ({ seat, cryosleep: cryosleep && pods }));
  let best: SeatArrangement | undefined;
  closestParties(freeSeats(occupancy, plan, at), wishes.length, (party, closer) => {
    if (best?.penalty === 0 && !closer) return;
    const seating = seatPassengers(party, asked);
    if (closer || best === undefined || seating.penalty < best.penalty) best = seating;
  });
  return (best as SeatArrangement | undefined)?.seats.map(({ seat }) => seat.number);
}

/** At most nine travel together, so the sum of one line never reaches the next. */
const MISSING_POD = 1_000;
const WRONG_SEAT_KIND = 100;
const RESERVED_FEATURE = 1;

/** What speaks against a place for a passenger; 0: nothing. */
function penaltyOf({ seat: { features } }: FreeSeat, { seat, cryosleep }: PassengerSeatPreferences): number {
  const isPod = features.includes("cryosleep_pod");
  // Whoever needs or wants one of these looks for it: nobody else is put there while there is another seat as good.
  const kept = features.includes("exit_row") || features.includes("accessible") || (isPod && !cryosleep);
  return (
    (cryosleep && !isPod ? MISSING_POD : 0) +
    (seat !== "any" && !features.includes(seat) ? WRONG_SEAT_KIND : 0) +
    (kept ? RESERVED_FEATURE : 0)
  );
}

interface SeatArrangement {
  /** One per passenger, in their order. */
  readonly seats: readonly FreeSeat[];
  /** 0: everybody's wishes are met. */
  readonly penalty: number;
}

/**
 * Who sits where in places that are as many as the passengers: as many wishes for a pod as possible are met, then as
 * many for a kind of seat. Among equals the first passenger has the first place.
 */
function seatPassengers(places: readonly FreeSeat[], wishes: readonly PassengerSeatPreferences[]): SeatArrangement {
  const all = 2 ** places.length - 1;
  const costs = wishes.map((wish) => places.map((place) => penaltyOf(place, wish)));
  const known = new Map<number, number>([[all, 0]]);
  /** The least that speaks against seating the passengers from this one on in what `taken` leaves. */
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
