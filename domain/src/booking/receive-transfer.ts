import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { MarkReturnSent, ReceiveTransfer } from "./commands.ts";
import { compactReference } from "./creditor-reference.ts";
import type { BookingEvent, ReturnCause, ReturnSent } from "./events.ts";
import { returnIdOf } from "./ids.ts";
import { amountMissing, bankTransferOf, type Payment } from "./payment.ts";
import { isAmount } from "./policies/amount.ts";
import { causeOfLateMoney } from "./policies/returns.ts";
import type { BookingRejectionCode } from "./rejections.ts";
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
  const payment = transferWith(state, reference);
  if (payment === undefined) return reject("transfer_not_found");
  if (!isAmount(amount)) return reject("amount_invalid");

  const { paymentId } = payment;
  const applied = applicable(payment, command);
  const received = { entryId, paymentId, reference, amount, currency, applied };
  const events: BookingEvent[] = [{ type: "TransferReceived", at, data: received }];
  if (applied < amount) {
    const returnId = returnIdOf(state.bookingId, entryId);
    const cause = causeOfReturn(payment, currency);
    events.push({
      type: "ReturnDue",
      at,
      data: { returnId, entryId, paymentId, amount: amount - applied, currency, cause },
    });
  }
  if (applied > 0 && applied === amountMissing(payment)) {
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

function transferWith(booking: ExistingBooking, reference: string): Payment | undefined {
  const wanted = compactReference(reference);
  return booking.payments.findLast((payment) => {
    const transfer = bankTransferOf(payment);
    return transfer !== undefined && compactReference(transfer.reference) === wanted;
  });
}

function applicable(payment: Payment, { amount, currency }: ReceiveTransfer): number {
  return payment.status === "pending" && currency === payment.currency ? Math.min(amount, amountMissing(payment)) : 0;
}

function causeOfReturn(payment: Payment, currency: string): ReturnCause {
  if (currency !== payment.currency) return "wrong_currency";
  return payment.status === "pending" ? "excess" : causeOfLateMoney(payment);
}
