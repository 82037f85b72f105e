import { accept, type Instant, reject } from "../shared/decision.ts";
import type { BookingHandlers, ReceiveTransfer } from "./commands.ts";
import type { BookingEvent, PaymentFailed, ReturnDue } from "./events.ts";
import { returnIdOf } from "./ids.ts";
import type { ReturnCause } from "./payment.ts";
import { isValidAmount, paidEvents } from "./rules.ts";
import { amountOutstanding, bankTransferOf, type ExistingBooking, isExistingBooking, type Payment } from "./state.ts";

export const transferHandlers = {
  /** Each cent that arrives is applied to the payment or becomes due for return. The same entry again: a no-op. */
  ReceiveTransfer(command, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    const { entryId, reference, amount, currency } = command;
    const known = state.payments.flatMap(({ entries }) => entries).find((entry) => entry.entryId === entryId);
    if (known !== undefined) {
      const isSame = known.reference === reference && known.amount === amount && known.currency === currency;
      return isSame ? accept() : reject("entry_differs");
    }
    const payment = findTransferByReference(state, reference);
    if (payment === undefined) return reject("transfer_not_found");
    if (!isValidAmount(amount)) return reject("amount_invalid");

    const { paymentId } = payment;
    const applied = applicableAmount(payment, command);
    const received = { entryId, paymentId, reference, amount, currency, applied };
    const events: BookingEvent[] = [{ type: "TransferReceived", at, data: received }];
    if (applied < amount) {
      const returnId = returnIdOf(state.bookingId, entryId);
      const returned = { returnId, entryId, paymentId, amount: amount - applied, currency };
      events.push({ type: "ReturnDue", at, data: { ...returned, cause: returnCause(payment, currency) } });
    }
    if (applied > 0 && applied === amountOutstanding(payment)) {
      events.push(...paidEvents(state.bookingId, paymentId, at));
    }
    return accept(...events);
  },

  /** Records that a return has been sent; again: a no-op. */
  MarkReturnSent({ returnId }, state, at) {
    const due = isExistingBooking(state) ? state.returns.find((each) => each.returnId === returnId) : undefined;
    if (due === undefined) return reject("return_not_found");
    return due.status === "sent" ? accept() : accept({ type: "ReturnSent", at, data: { returnId } });
  },
} satisfies Partial<BookingHandlers>;

function findTransferByReference(booking: ExistingBooking, reference: string): Payment | undefined {
  return booking.payments.findLast((payment) => bankTransferOf(payment)?.reference === reference);
}

function applicableAmount(payment: Payment, { amount, currency }: ReceiveTransfer): number {
  return payment.status === "pending" && currency === payment.currency
    ? Math.min(amount, amountOutstanding(payment))
    : 0;
}

function returnCause(payment: Payment, currency: string): ReturnCause {
  if (currency !== payment.currency) return "wrong_currency";
  if (payment.status !== "failed") return "excess";
  switch (payment.failureCode) {
    case "superseded":
      return "superseded";
    case "booking_cancelled":
      return "cancelled";
    default:
      return "late";
  }
}

/** The cause of returning partial money, by the failure of its transfer. */
const RETURN_CAUSES_BY_FAILURE = {
  bank_transfer_expired: "expired",
  superseded: "superseded",
  booking_cancelled: "cancelled",
} as const;

/** Fails a pending bank transfer. Money that was already applied becomes due for return, entry by entry. */
export function failTransfer(
  booking: ExistingBooking,
  payment: Payment,
  failureCode: keyof typeof RETURN_CAUSES_BY_FAILURE,
  at: Instant,
): (PaymentFailed | ReturnDue)[] {
  const { paymentId } = payment;
  const cause = RETURN_CAUSES_BY_FAILURE[failureCode];
  const returns = payment.entries
    .filter((entry) => entry.applied > 0)
    .map(({ entryId, applied, currency }): ReturnDue => {
      const returnId = returnIdOf(booking.bookingId, entryId);
      return { type: "ReturnDue", at, data: { returnId, entryId, paymentId, amount: applied, currency, cause } };
    });
  return [{ type: "PaymentFailed", at, data: { paymentId, failureCode } }, ...returns];
}
