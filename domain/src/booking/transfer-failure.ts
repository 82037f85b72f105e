import type { Instant } from "../shared/decision.ts";
import type { PaymentFailed, ReturnDue } from "./events.ts";
import { returnIdOf } from "./ids.ts";
import type { Payment } from "./payment.ts";
import { returnCauseOfFailure, type TransferFailureCode } from "./rules/return-causes.ts";
import type { ExistingBooking } from "./state.ts";

/** A pending bank transfer ends without success: what came of its money is owed back, entry by entry. */
export function failTransfer(
  booking: ExistingBooking,
  payment: Payment,
  failureCode: TransferFailureCode,
  at: Instant,
): (PaymentFailed | ReturnDue)[] {
  const { paymentId } = payment;
  const cause = returnCauseOfFailure(failureCode);
  const returns = payment.entries
    .filter((entry) => entry.applied > 0)
    .map(({ entryId, applied, currency }): ReturnDue => {
      const returnId = returnIdOf(booking.bookingId, entryId);
      return { type: "ReturnDue", at, data: { returnId, entryId, paymentId, amount: applied, currency, cause } };
    });
  return [{ type: "PaymentFailed", at, data: { paymentId, failureCode } }, ...returns];
}
