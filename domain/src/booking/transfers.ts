import { accept, reject } from "../shared/decision.ts";
import type { BookingHandlers, ReceiveTransfer } from "./commands.ts";
import { applyEvents } from "./due-events.ts";
import { endedEvents } from "./end-booking.ts";
import type { BookingEvent } from "./events.ts";
import { failTransfer } from "./fail-transfer.ts";
import { returnIdOf } from "./ids.ts";
import type { ReturnCause } from "./payment.ts";
import { fallenPriceEvents } from "./refunds.ts";
import { isUndelivered, isValidAmount, paidEvents } from "./rules.ts";
import {
  amountOutstanding,
  bankTransferOf,
  type ExistingBooking,
  hasPaid,
  isExistingBooking,
  type Payment,
  type ReversedEntry,
} from "./state.ts";

export const transferHandlers = {
  /** Each cent that arrives is applied to the payment or becomes due for return. The same entry again: a no-op. */
  ReceiveTransfer(command, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    const { entryId, reference, amount, currency, reversals = 0 } = command;
    const known = state.payments.flatMap(({ entries }) => entries).find((entry) => entry.entryId === entryId);
    if (known !== undefined) {
      const isSame = known.reference === reference && known.amount === amount && known.currency === currency;
      return isSame ? accept() : reject("entry_differs");
    }
    // It was received before it was reversed, and comes late.
    if (reversedEntries(state, entryId).some((entry) => entry.reversals > reversals)) return accept();
    const payment = findTransferByReference(state, reference);
    if (payment === undefined) return reject("transfer_not_found");
    if (!isValidAmount(amount)) return reject("amount_invalid");

    const { paymentId } = payment;
    const applied = applicableAmount(payment, command);
    const received = { entryId, paymentId, reference, amount, currency, applied, ...(reversals > 0 && { reversals }) };
    const events: BookingEvent[] = [{ type: "TransferReceived", at, data: received }];
    if (applied < amount) {
      const returnId = returnIdOf(state.bookingId, entryId);
      const returned = { returnId, entryId, paymentId, amount: amount - applied, currency };
      events.push({ type: "ReturnDue", at, data: { ...returned, cause: returnCause(payment, currency) } });
    }
    if (applied > 0 && applied === amountOutstanding(payment)) {
      events.push(...paidEvents(state.bookingId, paymentId, at), ...fallenPriceEvents(state, payment, at));
    }
    return accept(...events);
  },

  /**
   * Takes an entry back (docs/rules.md#taking-money-back). Where it has paid the booking, the payment fails, what other entries brought
   * goes back, and the booking is cancelled. A second time: a no-op.
   */
  ReverseTransfer({ entryId, reason, cancelBooking, changes }, state, at) {
    if (!isExistingBooking(state)) return reject("booking_not_found");
    const payment = state.payments.find(({ entries }) => entries.some((entry) => entry.entryId === entryId));
    const entry = payment?.entries.find((each) => each.entryId === entryId);
    if (payment === undefined || entry === undefined)
      return reversedEntries(state, entryId).length > 0 ? accept() : reject("entry_not_found");
    const wasReturned = state.returns.some((due) => due.entryId === entryId && due.status === "sent");
    if (wasReturned || (entry.applied > 0 && payment.refunds.length > 0)) return reject("entry_sent_back");
    const isPaidByIt = hasPaid(payment, entryId);
    if (isPaidByIt && !cancelBooking) return reject("payment_succeeded");
    const losesPoints = state.status !== "cancelled" && state.rewards.some(isUndelivered);
    if (isPaidByIt && losesPoints && changes === undefined)
      return reject("flight_unread", { flightId: state.flightId });

    const { paymentId, entries } = payment;
    const reversals = (entry.reversals ?? 0) + 1;
    const events: BookingEvent[] = [{ type: "TransferReversed", at, data: { entryId, paymentId, reason, reversals } }];
    if (isPaidByIt) {
      const left = { ...payment, entries: entries.filter((each) => each !== entry) };
      events.push(...failTransfer(state, left, "booking_cancelled", at));
      const unpaid = applyEvents(state, events) as ExistingBooking;
      const end = { cause: "requested", reason, refunds: "booking_cancelled" } as const;
      if (state.status !== "cancelled") events.push(...endedEvents(unpaid, end, at));
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

function reversedEntries(booking: ExistingBooking, entryId: string): readonly ReversedEntry[] {
  return booking.payments.flatMap(({ reversed = [] }) => reversed.filter((entry) => entry.entryId === entryId));
}

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
