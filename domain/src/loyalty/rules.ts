import { smallestUnitsPerUnit } from "../shared/currency.ts";
import type { Instant } from "../shared/decision.ts";
import { utcDay } from "../shared/time.ts";

const VALIDITY_MONTHS = 24;

/** Points per whole unit paid, by currency: the setting `LOYALTY_RATES`. At most three decimals. */
export type LoyaltyRates = ReadonlyMap<string, number>;

/** What a booking earns: `points` for each whole `per` of its currency's smallest unit. */
export interface PointsRate {
  readonly points: number;
  readonly per: number;
}

/** The rate of bookings made before there were rates, whatever their currency. */
export const FORMER_POINTS_RATE: PointsRate = { points: 1, per: 100 };

/** A currency without a rate earns nothing. */
export function pointsRateOf(rates: LoyaltyRates, currency: string): PointsRate {
  return { points: rates.get(currency) ?? 0, per: smallestUnitsPerUnit(currency) };
}

/** Points for an amount paid and not refunded, in the smallest unit of its currency (docs/rules.md#earning-points). */
export function pointsFor(amount: number, { points, per }: PointsRate): number {
  // Computed in thousandths of a point, because 100 × 0.29 is less than 29 in floating point.
  return Math.floor((Math.floor(amount / per) * Math.round(points * 1_000)) / 1_000);
}

/** The expiry of points earned at `earnedAt`: the end of the month in which they are 24 months old (UTC). */
export function pointsExpireAt(earnedAt: Instant): Instant {
  const earned = new Date(earnedAt);
  return Date.UTC(earned.getUTCFullYear(), earned.getUTCMonth() + VALIDITY_MONTHS + 1);
}

/** The last day to spend points that expire at `expiresAt`, `YYYY-MM-DD`. */
export function lastSpendableDay(expiresAt: Instant): string {
  return utcDay(expiresAt - 1);
}

/** Tiers, lowest first, each with its minimum lifetime points (docs/rules.md#tiers). */
const THRESHOLDS = [
  { tier: "voyager", from: 0 },
  { tier: "pioneer", from: 50_000 },
  { tier: "admiral", from: 150_000 },
] as const;

export type Tier = (typeof THRESHOLDS)[number]["tier"];

export const TIERS = ["voyager", "pioneer", "admiral"] as const satisfies readonly Tier[];

/** The progress towards the next tier. */
export interface TierProgress {
  /** Null at the highest tier, as are the points. */
  readonly nextTier: Tier | null;
  readonly pointsToNextTier: number | null;
  /** Whole percent of the distance from this tier to the next, rounded down; 100 at the highest. */
  readonly percent: number;
}

/** The tier for these lifetime points. */
export function tierOf(lifetimePoints: number): Tier {
  return (THRESHOLDS.findLast(({ from }) => lifetimePoints >= from) ?? THRESHOLDS[0]).tier;
}

/** Progress of these lifetime points towards the next tier. */
export function tierProgressOf(lifetimePoints: number): TierProgress {
  const next = THRESHOLDS.find(({ from }) => from > lifetimePoints);
  if (next === undefined) return { nextTier: null, pointsToNextTier: null, percent: 100 };
  const { from } = THRESHOLDS.findLast((reached) => lifetimePoints >= reached.from) ?? THRESHOLDS[0];
  const percent = Math.floor((100 * (lifetimePoints - from)) / (next.from - from));
  return { nextTier: next.tier, pointsToNextTier: next.from - lifetimePoints, percent: Math.max(0, percent) };
}

/** The rewards and their prices in points (docs/rules.md#rewards). */
export const REWARDS = ["cabin_upgrade", "booking_credit", "extra_baggage", "lounge_access"] as const;
export type Reward = (typeof REWARDS)[number];

const COSTS: Readonly<Record<Reward, number>> = {
  cabin_upgrade: 40_000,
  booking_credit: 10_000,
  extra_baggage: 8_000,
  lounge_access: 5_000,
};

/** Value of a `booking_credit` in cents of `CREDIT_CURRENCY`. */
export const BOOKING_CREDIT = 10_000;

/** All credit is in this currency (docs/rules.md#booking-credit). */
export const CREDIT_CURRENCY = "USD";

/** The cents that a point buys. A whole number, so that credit can be taken back for the points it cost. */
export const CENTS_PER_POINT = BOOKING_CREDIT / COSTS.booking_credit;

export function costOf(reward: Reward): number {
  return COSTS[reward];
}

/** Whether a reward needs a booking. */
export function needsBooking(reward: Reward): boolean {
  return reward === "cabin_upgrade" || reward === "extra_baggage";
}
