import type { PaymentFailureCode, ReturnCause } from "../events.ts";
import type { Payment } from "../payment.ts";

/** How a bank transfer can fail. */
export type TransferFailureCode = Extract<
  PaymentFailureCode,
  "bank_transfer_expired" | "superseded" | "booking_cancelled"
>;

const OF_MONEY_ALREADY_THERE: Readonly<Record<TransferFailureCode, ReturnCause>> = {
  bank_transfer_expired: "expired",
  superseded: "superseded",
  booking_cancelled: "cancelled",
};

/** Why partial money goes back when its transfer fails. */
export function causeOfFailure(failureCode: TransferFailureCode): ReturnCause {
  return OF_MONEY_ALREADY_THERE[failureCode];
}

/** Why money goes back that comes after its transfer was settled one way or the other. */
export function causeOfLateMoney(payment: Payment): ReturnCause {
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
