import type { Instant } from "../shared/decision.ts";
import { MINUTE } from "../shared/durations.ts";

const BOARDING_BEGINS_BEFORE = 45 * MINUTE;

/** When boarding begins. */
export function boardingAtOf(departsAt: Instant): Instant {
  return departsAt - BOARDING_BEGINS_BEFORE;
}
