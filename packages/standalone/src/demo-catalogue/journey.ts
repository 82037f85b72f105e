import type { Cabin } from "@travel-booking/domain";

/**
 * Days under way. The drive is faster the longer it can accelerate: four times the distance takes twice the time
 * (28 days to Proxima Centauri, 480 to Kepler-442).
 */
export function durationDays(distanceLy: number): number {
  return Math.round(13.82 * Math.sqrt(distanceLy));
}

/** Fares of the classes, in economy fares. */
const FACTORS: Readonly<Record<Cabin, number>> = { economy: 1, premium_economy: 1.6, business: 3.2, first: 6 };

const BOARDING_FEE = 20_000;
const PER_ROOT_LIGHT_YEAR = 3_164;

/** July and December, when everybody travels. */
const HIGH_SEASON: ReadonlySet<number> = new Set([6, 11]);
const HIGH_SEASON_FACTOR = 1.1;

/** Cents, in whole dollars: grows with the time under way, and a tenth in the high season. */
export function fareAmount(cabin: Cabin, distanceLy: number, departsAt: number): number {
  const economy = BOARDING_FEE + PER_ROOT_LIGHT_YEAR * Math.sqrt(distanceLy);
  const season = HIGH_SEASON.has(new Date(departsAt).getUTCMonth()) ? HIGH_SEASON_FACTOR : 1;
  return Math.round((economy * FACTORS[cabin] * season) / 100) * 100;
}
