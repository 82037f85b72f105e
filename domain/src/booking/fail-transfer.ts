import type { Instant } from "../shared/decision.ts";
import type { PaymentFailed, ReturnDue } from "./events.ts";
import { returnIdOf } from "./ids.ts";
import type { ExistingBooking, Payment } from "./state.ts";

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
      const first = returnIdOf(booking.bookingId, entryId);
      // What was too much of an entry that has paid has a return already.
      const returnId = booking.returns.some((due) => due.returnId === first) ? `${first}~2` : first;
      return { type: "ReturnDue", at, data: { returnId, entryId, paymentId, amount: applied, currency, cause } };
    });
  return [{ type: "PaymentFailed", at, data: { paymentId, failureCode } }, ...returns];
}
