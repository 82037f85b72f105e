import { PAYMENT_FAILURE_CODES } from "@travel-booking/domain";
import { z } from "zod";
import { CARD_BRANDS, PAYMENT_STATUSES, WALLET_TYPES } from "../enumerations.ts";
import { metadata } from "../fields/metadata.ts";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";
import { text } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";
import { refundSchema } from "./refund.ts";

const cardSchema = strict({
  brand: oneOf(CARD_BRANDS),
  last4: z.string(),
  expMonth: wholeNumber.min(1).max(12),
  expYear: wholeNumber,
});
const walletSchema = strict({ type: z.string() });
const bankTransferSchema = strict({
  dueAt: utcDateTime,
  iban: z.string(),
  bic: z.string(),
  reference: z.string(),
});

/** Exactly one of the three details is set. */
export const paymentMethodSchema = z.discriminatedUnion("type", [
  strict({ type: z.literal("card"), card: cardSchema, wallet: z.null(), bankTransfer: z.null() }),
  strict({ type: z.literal("wallet"), card: z.null(), wallet: walletSchema, bankTransfer: z.null() }),
  strict({ type: z.literal("bank_transfer"), card: z.null(), wallet: z.null(), bankTransfer: bankTransferSchema }),
]);
export type PaymentMethodBody = z.infer<typeof paymentMethodSchema>;

export const paymentSchema = strict({
  id: z.string(),
  bookingId: z.string(),
  status: oneOf(PAYMENT_STATUSES),
  failureCode: oneOf(PAYMENT_FAILURE_CODES).nullable(),
  failureMessage: z.string().nullable(),
  amount: cents,
  amountRefunded: cents,
  currency,
  method: paymentMethodSchema,
  metadata: z.record(z.string(), z.string()),
  /** Oldest first. */
  refunds: z.array(refundSchema),
  createdAt: utcDateTime,
});
export type PaymentBody = z.infer<typeof paymentSchema>;

const token = text({ max: 255, blank: "refused" });
const saveCard = z.boolean({ error: phrase }).default(false);
const common = { metadata: metadata.optional() };

export const createPaymentSchema = z.discriminatedUnion(
  "type",
  [
    strict({ type: z.literal("card"), token, saveCard, ...common }),
    strict({ type: z.literal("wallet"), walletType: oneOf(WALLET_TYPES), token, ...common }),
    strict({ type: z.literal("bank_transfer"), ...common }),
  ],
  {
    error: (issue) => (issue.code === "invalid_union" ? "must be one of card, wallet, bank_transfer" : phrase(issue)),
  },
);
export type CreatePaymentRequest = z.infer<typeof createPaymentSchema>;
