import type { Instant } from "../shared/decision.ts";

const CENTS_PER_POINT = 100;
const VALIDITY_MONTHS = 24;

/** Points of a booking: one per whole dollar that was paid and not given back. `amount` in cents. */
export function pointsFor(amount: number): number {
  return Math.max(0, Math.floor(amount / CENTS_PER_POINT));
}

/** The first moment at which points earned at `earnedAt` are gone: the month they are 24 months old in has ended (UTC). */
export function pointsExpireAt(earnedAt: Instant): Instant {
  const earned = new Date(earnedAt);
  return Date.UTC(earned.getUTCFullYear(), earned.getUTCMonth() + VALIDITY_MONTHS + 1);
}

/** The last day on which points that expire at `expiresAt` can be spent, `YYYY-MM-DD`. */
export function lastSpendableDay(expiresAt: Instant): string {
  return new Date(expiresAt - 1).toISOString().slice(0, 10);
}
