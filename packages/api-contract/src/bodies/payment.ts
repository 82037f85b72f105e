import {
  amountRefunded,
  assertNever,
  type BookingFields,
  type Payment,
  type PaymentFailureCode,
  type PaymentMethod,
} from "@travel-booking/domain";
import type { PaymentBody } from "../resources/payment.ts";
import { CARD_BRANDS } from "../vocabulary.ts";
import { refundBody } from "./refund.ts";
import { timestamp } from "./timestamp.ts";

/** Messages for people. */
const MESSAGES: Readonly<Record<PaymentFailureCode, string>> = {
  card_declined: "The card was declined.",
  insufficient_funds: "The card has insufficient funds.",
  expired_card: "The card has expired.",
  incorrect_cvc: "The card's security code is incorrect.",
  incorrect_number: "The card number is incorrect.",
  do_not_honor: "The card's issuer declined the charge without giving a reason.",
  card_not_supported: "The card does not support this kind of purchase.",
  currency_not_supported: "The card does not support this currency.",
  authentication_required: "The card's issuer asks the holder to authenticate.",
  processing_error: "The charge could not be processed. Nothing was taken.",
  issuer_not_available: "The card's issuer could not be reached.",
  bank_transfer_expired: "The money did not arrive in time.",
  superseded: "The booking was paid by another payment.",
  booking_cancelled: "The booking was cancelled before it was paid.",
};

export function failureMessage(code: PaymentFailureCode): string {
  return MESSAGES[code];
}

/** Exactly one of the three details is set. */
function paymentMethodBody(method: PaymentMethod): PaymentBody["method"] {
  switch (method.type) {
    case "card": {
      const { last4, expMonth, expYear } = method.card;
      const brand = CARD_BRANDS.find((known) => known === method.card.brand) ?? "unknown";
      return { type: "card", card: { brand, last4, expMonth, expYear }, wallet: null, bankTransfer: null };
    }
    case "wallet":
      return { type: "wallet", card: null, wallet: { type: method.wallet.type }, bankTransfer: null };
    case "bank_transfer": {
      const { dueAt, iban, bic, reference } = method.bankTransfer;
      const bankTransfer = { dueAt: timestamp(dueAt), iban, bic, reference };
      return { type: "bank_transfer", card: null, wallet: null, bankTransfer };
    }
    default:
      return assertNever(method);
  }
}

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
