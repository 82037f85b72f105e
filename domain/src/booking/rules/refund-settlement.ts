import type { Instant } from "../../shared/decision.ts";
import { DAY } from "../../shared/durations.ts";
import type { PaymentMethod } from "../events.ts";

const SATURDAY = 6;
const SUNDAY = 0;

/** The same time of day `days` business days (Monday to Friday, UTC) later. */
export function addBusinessDays(from: Instant, days: number): Instant {
  let at = from;
  for (let left = days; left > 0; ) {
    at += DAY;
    const weekday = new Date(at).getUTCDay();
    if (weekday !== SATURDAY && weekday !== SUNDAY) left -= 1;
  }
  return at;
}

/** When a refund settles by itself: T+3 business days for a bank transfer; null where a gateway confirms it. */
export function refundSettlesAt(method: PaymentMethod, at: Instant): Instant | null {
  return method.type === "bank_transfer" ? addBusinessDays(at, 3) : null;
}
