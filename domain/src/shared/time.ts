import type { Instant } from "./decision.ts";

/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** From departure on, nothing on a flight can be held, booked, changed or paid. */
export function hasDeparted(departsAt: Instant, at: Instant): boolean {
  return at >= departsAt;
}

/** The calendar day of a moment in UTC, `YYYY-MM-DD`. Such texts sort by day. */
export function utcDay(at: Instant): string {
  return new Date(at).toISOString().slice(0, 10);
}
