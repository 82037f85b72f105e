import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { CancelBooking } from "./commands.ts";
import type { BookingEvent } from "./events.ts";
import { pendingTransfers } from "./lookups.ts";
import { refundableAmount } from "./payment.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { releasedCredit } from "./rewards/credit.ts";
import { hasUnrefundedPayment } from "./rewards/points.ts";
import { isRefundedOnCancel } from "./rules/departure-deadlines.ts";
import { automaticRefund } from "./start-refund.ts";
import { type BookingState, bookingOf } from "./state.ts";
import { failTransfer } from "./transfer-failure.ts";

/**
 * Cancels; a second time is a no-op. A charge under way stays open: its outcome is dealt with when it is known.
 * Failed payments come before the cancellation, refunds after it.
 */
export function cancelBooking(
  command: CancelBooking,
  state: BookingState,
  at: Instant,
): Decision<BookingEvent, BookingRejectionCode> {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  if (booking.status === "cancelled") return accept();
  const refunded = isRefundedOnCancel(booking.departsAt, at)
    ? booking.payments.filter((payment) => refundableAmount(payment) > 0)
    : [];
  return accept<BookingEvent>(
    ...pendingTransfers(booking).flatMap((payment) => failTransfer(booking, payment, "booking_cancelled", at)),
    {
      type: "BookingCancelled",
      at,
      data: {
        bookingId: booking.bookingId,
        cause: "requested",
        reason: command.reason,
        ...(isRefundedOnCancel(booking.departsAt, at)
          ? releasedCredit(booking)
          : hasUnrefundedPayment(booking) && { keepsPoints: true }),
      },
    },
    ...refunded.map((payment) => automaticRefund(payment, refundableAmount(payment), "booking_cancelled", at)),
  );
}
