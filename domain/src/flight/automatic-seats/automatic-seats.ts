import type { Cabin } from "../../shared/cabin.ts";
import type { Instant } from "../../shared/decision.ts";
import type { Occupancy } from "../occupancy.ts";
import { closestParties } from "./closest-parties.ts";
import { freePlaces } from "./free-places.ts";
import { type Seating, seatPassengers } from "./seat-passengers.ts";
import { isLongEnoughForCryosleep, type SeatWish } from "./seat-wish.ts";

/**
 * Seats for passengers who have chosen none, one per wish and in that order: in their cabin, free, the party as close
 * together as can be, then as they wish, then from the front (docs/rules.md#how-seats-are-assigned). The same occupancy
 * at the same moment gives the same seats. Undefined: too few seats are free.
 */
export function automaticSeats(
  occupancy: Occupancy,
  cabin: Cabin,
  wishes: readonly SeatWish[],
  at: Instant,
): readonly string[] | undefined {
  const plan = occupancy.plan.cabins.find((one) => one.cabin === cabin);
  if (plan === undefined) return undefined;
  const pods = isLongEnoughForCryosleep(occupancy.plan.durationDays);
  const asked = wishes.map(({ seat, cryosleep }) => ({ seat, cryosleep: cryosleep && pods }));
  let best: Seating | undefined;
  closestParties(freePlaces(occupancy, plan, at), wishes.length, (party, closer) => {
    if (best?.drawbacks === 0 && !closer) return;
    const seating = seatPassengers(party, asked);
    if (closer || best === undefined || seating.drawbacks < best.drawbacks) best = seating;
  });
  return (best as Seating | undefined)?.places.map(({ seat }) => seat.number);
}
