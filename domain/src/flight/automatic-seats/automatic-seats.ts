import type { Cabin } from "../../shared/cabin.ts";
import type { Instant } from "../../shared/decision.ts";
import type { Occupancy } from "../occupancy.ts";
import { closestParties } from "./closest-parties.ts";
import { freeSeats } from "./free-seats.ts";
import { isLongEnoughForCryosleep, type PassengerSeatPreferences } from "./passenger-seat-preferences.ts";
import { type SeatArrangement, seatPassengers } from "./seat-passengers.ts";

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
