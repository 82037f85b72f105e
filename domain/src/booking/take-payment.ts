import { accept, assertNever, type Instant, reject } from "../shared/decision.ts";
import { hasDeparted } from "../shared/time.ts";
import type { BookingDecision, BookingHandlers, NewPayment, RecordedOutcome } from "./commands.ts";
import { applyEvents, dueEvents, expiredEvent } from "./due-events.ts";
import type { BookingEvent, PaymentFailed, PaymentStarted, PaymentWithdrawn } from "./events.ts";
import { failTransfer } from "./fail-transfer.ts";
import {
  type ChargeDetails,
  PAYMENT_FAILURE_CODES,
  type PaymentFailureCode,
  type PaymentMethod,
  type RefundReason,
} from "./payment.ts";
import { automaticRefund, fallenPriceEvents } from "./refunds.ts";
import { cancelledCode, paidEvents, transferDueAt } from "./rules.ts";
import {
  type BookingState,
  bankTransferOf,
  bookingOf,
  type ExistingBooking,
  findPayment,
  isExistingBooking,
  isWithdrawn,
  type Payment,
  type PendingBooking,
  pendingCharges,
  pendingTransfers,
} from "./state.ts";

export const paymentHandlers = {
  /** Starts a charge, even while a bank transfer is pending. The same payment id again, given up or not: a no-op. */
  StartPayment(command, state, at) {
    return guardPayment(command, state, at, (booking) => accept(started(booking, command, command.method, at)));
  },

  /** Starts a bank transfer; the booking now expires at the transfer's due time. */
  StartBankTransfer(command, state, at) {
    return guardPayment(command, state, at, (booking) => {
      if (pendingTransfers(booking).length > 0) return reject("transfer_pending");
      const dueAt = transferDueAt(booking.departsAt, at);
      if (dueAt === undefined) return reject("transfer_too_late");
      const { iban, bic, reference } = command;
      const method = { type: "bank_transfer", bankTransfer: { dueAt, iban, bic, reference } } as const;
      return accept(started(booking, command, method, at));
    });
  },

  /**
   * Records the outcome of a charge. The first outcome is final, but money that was taken in spite of it is refunded
   * (docs/rules.md#payment-outcome).
   */
  RecordPaymentOutcome({ paymentId, outcome }, state, at) {
    if (isWithdrawn(state, paymentId) && outcome.status !== "succeeded") return accept();
    const payment = findPayment(state, paymentId);
    if (!isExistingBooking(state) || payment === undefined || bankTransferOf(payment) !== undefined) {
      return reject("payment_not_found");
    }
    const details = "details" in outcome && outcome.details ? { details: outcome.details } : undefined;
    if (payment.status === "failed" && outcome.status === "succeeded") {
      return accept(...chargeSucceededAndRefunded(payment, lateRefundReason(state), at, details));
    }
    if (payment.status !== "pending") return accept();
    if (outcome.status === "succeeded") return accept(...chargeSucceeded(state, payment, at, details));
    const ended = chargeEnded(paymentId, outcome, at);
    // The pending charge may have been the only obstacle to the expiry.
    return accept<BookingEvent>(ended, ...dueEvents(applyEvents(state, [ended]), at));
  },

  /** Records the gateway's report of a dispute. The same report again changes nothing. */
  RecordDispute({ paymentId, dispute }, state, at) {
    const payment = findPayment(state, paymentId);
    if (payment === undefined) return reject("payment_not_found");
    const { disputeId, amount, currency, reason, status } = dispute;
    const known = payment.disputes.find((each) => each.disputeId === disputeId);
    if (known?.status === status && known.amount === amount) return accept();
    return accept({
      type: "PaymentDisputed",
      at,
      data: { paymentId, disputeId, amount, currency, reason, status },
    });
  },
} satisfies Partial<BookingHandlers>;

/** Limit of a booking's payments, including failed and withdrawn ones, because each is folded for ever. */
export const MAX_PAYMENTS = 20;

/** Checks common to both payment methods. */
function guardPayment(
  command: NewPayment,
  state: BookingState,
  at: Instant,
  start: (booking: PendingBooking) => BookingDecision,
): BookingDecision {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  const { paymentId } = command;
  if (findPayment(booking, paymentId) !== undefined || isWithdrawn(booking, paymentId)) return accept();
  if (booking.status === "cancelled") return reject(cancelledCode(booking));
  if (booking.status === "confirmed") return reject("already_paid");
  if (hasDeparted(booking.departsAt, at)) return reject("flight_departed");
  if (pendingCharges(booking).length > 0) return reject("payment_in_progress");
  const withdrawn = booking.paymentsWithdrawn?.length ?? 0;
  if (booking.payments.length + withdrawn >= MAX_PAYMENTS) return reject("too_many_payments", { most: MAX_PAYMENTS });
  return start(booking);
}

function started(booking: PendingBooking, command: NewPayment, method: PaymentMethod, at: Instant): PaymentStarted {
  const { paymentId, metadata } = command;
  const { totalAmount: amount, currency } = booking;
  return { type: "PaymentStarted", at, data: { paymentId, amount, currency, method, metadata } };
}

function chargeEnded(
  paymentId: string,
  outcome: Exclude<RecordedOutcome, { status: "succeeded" }>,
  at: Instant,
): PaymentFailed | PaymentWithdrawn {
  switch (outcome.status) {
    case "rejected":
      return { type: "PaymentWithdrawn", at, data: { paymentId } };
    case "barred":
      return { type: "PaymentFailed", at, data: { paymentId, failureCode: "processing_error", barred: true } };
    case "failed": {
      const { failureCode, details } = outcome;
      const data = { paymentId, failureCode: failureCodeOf(failureCode), ...(details && { details }) };
      return { type: "PaymentFailed", at, data };
    }
    default:
      return assertNever(outcome);
  }
}

/**
 * A charge confirms a pending booking even past its expiry, because it started in time and the booking still has its
 * seats. After departure the booking expires instead. Any other booking refunds the charge in full.
 */
function chargeSucceeded(
  booking: ExistingBooking,
  payment: Payment,
  at: Instant,
  details: Details,
): readonly BookingEvent[] {
  switch (booking.status) {
    case "pending":
      if (hasDeparted(booking.departsAt, at)) {
        return [expiredEvent(booking, at), ...chargeSucceededAndRefunded(payment, "booking_cancelled", at, details)];
      }
      return [
        ...paidEvents(booking.bookingId, payment.paymentId, at, details),
        ...fallenPriceEvents(booking, payment, at),
        ...pendingTransfers(booking).flatMap((transfer) => failTransfer(booking, transfer, "superseded", at)),
      ];
    case "confirmed":
    case "cancelled":
      return chargeSucceededAndRefunded(payment, lateRefundReason(booking), at, details);
    default:
      return assertNever(booking);
  }
}

/** The reason for refunding money that came too late, by the booking's status. */
function lateRefundReason(booking: ExistingBooking): RefundReason {
  if (booking.status === "cancelled") return cancelledCode(booking);
  return booking.status === "confirmed" ? "duplicate" : "other";
}

/** Details of the payment method, if the gateway reported any. */
type Details = { readonly details: ChargeDetails } | undefined;

function chargeSucceededAndRefunded(
  payment: Payment,
  reason: RefundReason,
  at: Instant,
  details: Details,
): readonly BookingEvent[] {
  return [
    { type: "PaymentSucceeded", at, data: { paymentId: payment.paymentId, ...details } },
    automaticRefund(payment, payment.amount, reason, at),
  ];
}

function failureCodeOf(code: string): PaymentFailureCode {
  return PAYMENT_FAILURE_CODES.find((known) => known === code) ?? "processing_error";
}
