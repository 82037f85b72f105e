import type { Instant } from "@travel-booking/domain";

/** A moment in an answer: ISO 8601 in UTC. */
export function timestamp(at: Instant): string {
  return new Date(at).toISOString();
}
