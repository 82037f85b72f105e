import type { Instant } from "../shared/decision.ts";
import type { BookingCancelled, BookingEvent, RefundStarted } from "./events.ts";
import { failTransfer } from "./fail-transfer.ts";
import { automaticRefund } from "./refunds.ts";
import { caseResolved, isUndelivered, releasedCredit, sumOf } from "./rules.ts";
import { type DisruptionCase, type ExistingBooking, openCase, pendingTransfers, refundableAmount } from "./state.ts";

interface End extends Pick<BookingCancelled["data"], "cause" | "reason"> {
  /** Why what is left of each payment goes back; null: it is kept. */
  readonly refunds: RefundStarted["data"]["reason"] | null;
  /** The case that is resolved by it. Absent: the open one, if any. */
  readonly resolves?: Pick<DisruptionCase, "caseId">;
}

/**
 * The events that end a booking. A pending charge stays pending, and a late success is refunded. Failed payments are recorded
 * before the cancellation, refunds after it.
 */
export function endedEvents(
  booking: ExistingBooking,
  { cause, reason, refunds, resolves = openCase(booking) }: End,
  at: Instant,
): readonly BookingEvent[] {
  const { bookingId, accountId, payments, rewards } = booking;
  const refundable = payments.filter((payment) => refundableAmount(payment) > 0);
  const refundAmount = sumOf(refundable.map(refundableAmount)) + (openCase(booking)?.refundAmount ?? 0);
  return [
    ...(resolves === undefined ? [] : [caseResolved(resolves.caseId, "refunded", refundAmount, at)]),
    ...pendingTransfers(booking).flatMap((payment) => failTransfer(booking, payment, "booking_cancelled", at)),
    {
      type: "BookingCancelled",
      at,
      data: {
        bookingId,
        cause,
        reason,
        ...(refunds === null ? refundable.length > 0 && { keepsPoints: true } : releasedCredit(booking)),
        ...(resolves !== undefined && rewards.some(isUndelivered) && { pointsBackTo: accountId }),
      },
    },
    ...(refunds === null
      ? []
      : refundable.map((payment) => automaticRefund(payment, refundableAmount(payment), refunds, at))),
  ];
}
