import type { Instant } from "../../shared/decision.ts";
import { HOUR } from "../../shared/durations.ts";

export { hasDeparted } from "../../shared/departure.ts";

/** Cancelling less than 24 hours before departure is not refunded (docs/rules.md#cancelling). */
export function isRefundedOnCancel(departsAt: Instant, at: Instant): boolean {
  return departsAt - at >= 24 * HOUR;
}

/** When a bank transfer begun now falls due; undefined where departure is less than 48 hours away, too soon for one. */
export function transferDueAt(departsAt: Instant, at: Instant): Instant | undefined {
  return departsAt - at < 48 * HOUR ? undefined : Math.min(at + 72 * HOUR, departsAt - 24 * HOUR);
}
