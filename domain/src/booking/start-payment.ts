import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { StartBankTransfer, StartPayment } from "./commands.ts";
import type { Metadata, PaymentMethod, PaymentStarted } from "./events.ts";
import { findPayment, pendingCharges, pendingTransfers } from "./lookups.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { hasDeparted, transferDueAt } from "./rules/departure-deadlines.ts";
import { type BookingState, bookingOf, type PendingBooking } from "./state.ts";

type PaymentDecision = Decision<PaymentStarted, BookingRejectionCode>;

/** Begins a charge. A pending bank transfer does not stand in its way. The same payment id again changes nothing. */
export function startPayment(command: StartPayment, state: BookingState, at: Instant): PaymentDecision {
  return guardPayment(command, state, at, (booking) => accept(started(booking, command, command.method, at)));
}

/** Begins a bank transfer; the booking now waits until its due time. */
export function startBankTransfer(command: StartBankTransfer, state: BookingState, at: Instant): PaymentDecision {
  return guardPayment(command, state, at, (booking) => {
    if (pendingTransfers(booking).length > 0) return reject("transfer_pending");
    const dueAt = transferDueAt(booking.departsAt, at);
    if (dueAt === undefined) return reject("transfer_too_late");
    const { iban, bic, reference } = command;
    const method = { type: "bank_transfer", bankTransfer: { dueAt, iban, bic, reference } } as const;
    return accept(started(booking, command, method, at));
  });
}

/** What both ways to pay ask of a booking first. */
function guardPayment(
  command: { readonly accountId: string; readonly paymentId: string },
  state: BookingState,
  at: Instant,
  start: (booking: PendingBooking) => PaymentDecision,
): PaymentDecision {
  const booking = bookingOf(state, command.accountId);
  if (booking === undefined) return reject("booking_not_found");
  if (findPayment(booking, command.paymentId) !== undefined) return accept();
  if (booking.status === "cancelled") return reject("booking_cancelled");
  if (booking.status === "confirmed") return reject("already_paid");
  if (hasDeparted(booking.departsAt, at)) return reject("flight_departed");
  if (pendingCharges(booking).length > 0) return reject("payment_in_progress");
  return start(booking);
}

function started(
  booking: PendingBooking,
  command: { readonly paymentId: string; readonly metadata: Metadata },
  method: PaymentMethod,
  at: Instant,
): PaymentStarted {
  const { paymentId, metadata } = command;
  const { totalAmount: amount, currency } = booking;
  return { type: "PaymentStarted", at, data: { paymentId, amount, currency, method, metadata } };
}
