import type { Instant } from "./decision.ts";

/** Durations in milliseconds. */
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** From the moment of departure on nothing of a flight is held, booked, moved or paid any more. */
export function hasDeparted(departsAt: Instant, at: Instant): boolean {
  return at >= departsAt;
}
