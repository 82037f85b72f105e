import type { Instant } from "./decision.ts";

/** From the moment of departure on nothing of a flight is held, booked, moved or paid any more. */
export function hasDeparted(departsAt: Instant, at: Instant): boolean {
  return at >= departsAt;
}
