import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { MarkReturnSent, ReceiveTransfer } from "./commands.ts";
import { compactReference } from "./creditor-reference.ts";
import type { BookingEvent, ReturnCause, ReturnSent } from "./events.ts";
import { returnIdOf } from "./ids.ts";
import { amountOutstanding, bankTransferOf, type Payment } from "./payment.ts";
import type { BookingRejectionCode } from "./rejections.ts";
import { isValidAmount } from "./rules/amount.ts";
import { returnCauseOfLatePayment } from "./rules/return-causes.ts";
import { type BookingState, type ExistingBooking, isExistingBooking } from "./state.ts";

/** Each cent that arrives is applied to the payment or owed back, once; the same entry again changes nothing. */
export function receiveTransfer(
  command: ReceiveTransfer,
  state: BookingState,
  at: Instant,
): Decision<BookingEvent, BookingRejectionCode> {
  if (!isExistingBooking(state)) return reject("booking_not_found");
  const { entryId, reference, amount, currency } = command;
  if (state.payments.some((payment) => payment.entries.some((entry) => entry.entryId === entryId))) return accept();
  const payment = findTransferByReference(state, reference);
  if (payment === undefined) return reject("transfer_not_found");
  if (!isValidAmount(amount)) return reject("amount_invalid");

  const { paymentId } = payment;
  const applied = applicableAmount(payment, command);
  const received = { entryId, paymentId, reference, amount, currency, applied };
  const events: BookingEvent[] = [{ type: "TransferReceived", at, data: received }];
  if (applied < amount) {
    const returnId = returnIdOf(state.bookingId, entryId);
    const cause = returnCause(payment, currency);
    events.push({
      type: "ReturnDue",
      at,
      data: { returnId, entryId, paymentId, amount: amount - applied, currency, cause },
    });
  }
  if (applied > 0 && applied === amountOutstanding(payment)) {
    events.push(
      { type: "PaymentSucceeded", at, data: { paymentId } },
      { type: "BookingConfirmed", at, data: { bookingId: state.bookingId } },
    );
  }
  return accept(...events);
}

/** Records that money owed back is on its way to its sender; again: a no-op. */
export function markReturnSent(
  { returnId }: MarkReturnSent,
  state: BookingState,
  at: Instant,
): Decision<ReturnSent, BookingRejectionCode> {
  const owed = isExistingBooking(state) ? state.returns.find((each) => each.returnId === returnId) : undefined;
  if (owed === undefined) return reject("return_not_found");
  return owed.status === "sent" ? accept() : accept<ReturnSent>({ type: "ReturnSent", at, data: { returnId } });
}

function findTransferByReference(booking: ExistingBooking, reference: string): Payment | undefined {
  const wanted = compactReference(reference);
  return booking.payments.findLast((payment) => {
    const transfer = bankTransferOf(payment);
    return transfer !== undefined && compactReference(transfer.reference) === wanted;
  });
}

function applicableAmount(payment: Payment, { amount, currency }: ReceiveTransfer): number {
  return payment.status === "pending" && currency === payment.currency
    ? Math.min(amount, amountOutstanding(payment))
    : 0;
}

function returnCause(payment: Payment, currency: string): ReturnCause {
  if (currency !== payment.currency) return "wrong_currency";
  return payment.status === "pending" ? "excess" : returnCauseOfLatePayment(payment);
}
