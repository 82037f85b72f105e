import { amountRefunded, type BookingFields, type Payment } from "@travel-booking/domain";
import type { PaymentBody } from "../resources/payment.ts";
import { failureMessage } from "./failure-message.ts";
import { paymentMethodBody } from "./payment-method.ts";
import { refundBody } from "./refund.ts";
import { timestamp } from "./timestamp.ts";

/** A payment of a booking as the public interface shows it, with its refunds, oldest first. */
export function paymentBody({ bookingId }: Pick<BookingFields, "bookingId">, payment: Payment): PaymentBody {
  const { failureCode } = payment;
  return {
    id: payment.paymentId,
    bookingId,
    status: payment.status,
    failureCode,
    failureMessage: failureCode === null ? null : failureMessage(failureCode),
    amount: payment.amount,
    amountRefunded: amountRefunded(payment),
    currency: payment.currency,
    method: paymentMethodBody(payment.method),
    metadata: Object.fromEntries(payment.metadata),
    refunds: payment.refunds.map(refundBody),
    createdAt: timestamp(payment.createdAt),
  };
}
