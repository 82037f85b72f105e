import { assertNever, type PaymentMethod } from "@travel-booking/domain";
import { CARD_BRANDS } from "../enumerations.ts";
import type { PaymentMethodBody } from "../resources/payment.ts";
import { timestamp } from "./timestamp.ts";

/** Exactly one of the three details is set; a network the interface has no word for is `unknown`. */
export function paymentMethodBody(method: PaymentMethod): PaymentMethodBody {
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
