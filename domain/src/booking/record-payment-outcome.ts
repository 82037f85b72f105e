import { assertNever } from "../shared/assert-never.ts";
import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { RecordPaymentOutcome } from "./commands.ts";
import { applyEvents, dueEvents, expiredEvent } from "./due-events.ts";
import {
  type BookingEvent,
  PAYMENT_FAILURE_CODES,
  type PaymentFailed,
  type PaymentFailureCode,
  type RefundReason,
} from "./events.ts";
import { findPayment, pendingTransfers } from "./lookups.ts";
import { bankTransferOf, type Payment } from "./payment.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { hasDeparted } from "./rules/departure-deadlines.ts";
import { automaticRefund } from "./start-refund.ts";
import { type BookingState, type ExistingBooking, isExistingBooking } from "./state.ts";
import { failTransfer } from "./transfer-failure.ts";

/** Records what became of a charge, once: the first outcome stands. */
export function recordPaymentOutcome(
  command: RecordPaymentOutcome,
  state: BookingState,
  at: Instant,
): Decision<BookingEvent, BookingRejectionCode> {
  const payment = findPayment(state, command.paymentId);
  if (!isExistingBooking(state) || payment === undefined || bankTransferOf(payment) !== undefined) {
    return reject("payment_not_found");
  }
  if (payment.status !== "pending") return accept();
  const { outcome } = command;
  if (outcome.status === "succeeded") return accept(...chargeSucceeded(state, payment, at));
  const failed: PaymentFailed = {
    type: "PaymentFailed",
    at,
    data: { paymentId: payment.paymentId, failureCode: failureCodeOf(outcome.failureCode) },
  };
  // The open charge may have been all that kept the booking from expiring.
  return accept<BookingEvent>(failed, ...dueEvents(applyEvents(state, [failed]), at));
}

/**
 * Money was taken. It pays for a pending booking, even past its expiry: the charge was begun in time and the seats
 * were kept for it. Not after departure, where there is nothing left to pay for: that booking has expired. On any
 * booking that no longer wants it the money goes back in full, however late it is.
 */
function chargeSucceeded(booking: ExistingBooking, payment: Payment, at: Instant): readonly BookingEvent[] {
  switch (booking.status) {
    case "pending":
      if (hasDeparted(booking.departsAt, at)) {
        return [expiredEvent(booking, at), ...chargeSucceededAndRefunded(payment, "booking_cancelled", at)];
      }
      return [
        { type: "PaymentSucceeded", at, data: { paymentId: payment.paymentId } },
        { type: "BookingConfirmed", at, data: { bookingId: booking.bookingId } },
        ...pendingTransfers(booking).flatMap((transfer) => failTransfer(booking, transfer, "superseded", at)),
      ];
    case "confirmed":
      return chargeSucceededAndRefunded(payment, "duplicate", at);
    case "cancelled":
      return chargeSucceededAndRefunded(payment, "booking_cancelled", at);
    default:
      return assertNever(booking);
  }
}

function chargeSucceededAndRefunded(payment: Payment, reason: RefundReason, at: Instant): readonly BookingEvent[] {
  return [
    { type: "PaymentSucceeded", at, data: { paymentId: payment.paymentId } },
    automaticRefund(payment, payment.amount, reason, at),
  ];
}

function failureCodeOf(code: string): PaymentFailureCode {
  return PAYMENT_FAILURE_CODES.find((known) => known === code) ?? "processing_error";
}
