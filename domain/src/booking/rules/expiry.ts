import type { Instant } from "../../shared/decision.ts";
import { HOUR, MINUTE } from "../../shared/durations.ts";
import type { BookingState } from "../state.ts";

/** When an unpaid booking is given up (docs/rules.md#booking-expiry): room to pay, but never past departure. */
export function expiresAtOf(createdAt: Instant, departsAt: Instant): Instant {
  const usual = Math.min(createdAt + 24 * HOUR, departsAt - 2 * HOUR);
  return Math.min(departsAt, Math.max(usual, createdAt + 15 * MINUTE));
}

/** Whether a booking has run out of time to be paid; an open charge may still keep it from being cancelled. */
export function isPastExpiry(state: BookingState, at: Instant): boolean {
  return state.status === "pending" && state.expiresAt !== null && at >= state.expiresAt;
}
