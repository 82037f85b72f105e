import type { PaymentFailureCode, ReturnCause } from "../events.ts";
import type { Payment } from "../payment.ts";

/** How a bank transfer can fail. */
export type TransferFailureCode = Extract<
  PaymentFailureCode,
  "bank_transfer_expired" | "superseded" | "booking_cancelled"
>;

const RETURN_CAUSE_BY_FAILURE: Readonly<Record<TransferFailureCode, ReturnCause>> = {
  bank_transfer_expired: "expired",
  superseded: "superseded",
  booking_cancelled: "cancelled",
};

/** Why partial money goes back when its transfer fails. */
export function returnCauseOfFailure(failureCode: TransferFailureCode): ReturnCause {
  return RETURN_CAUSE_BY_FAILURE[failureCode];
}

/** Why money goes back that comes after its transfer was settled one way or the other. */
export function returnCauseOfLatePayment(payment: Payment): ReturnCause {
  if (payment.status === "succeeded") return "excess";
  switch (payment.failureCode) {
    case "superseded":
      return "superseded";
    case "booking_cancelled":
      return "cancelled";
    default:
      return "late";
  }
}
