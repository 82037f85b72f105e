import { PAYMENT_FAILURE_CODES } from "@travel-booking/domain";
import { z } from "zod";
import { CARD_BRANDS, PAYMENT_STATUSES, WALLET_TYPES } from "../enumerations.ts";
import { metadata, outputMetadata } from "../fields/metadata.ts";
import { cents, currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText, text } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { refundSchema } from "./refund.ts";

const cardSchema = strictObject({
  brand: oneOf(CARD_BRANDS).describe("The card's network."),
  last4: outputText(4).describe("The last digits of its number."),
  expMonth: wholeNumber.min(1).max(12).describe("The month it expires in."),
  expYear: wholeNumber.describe("The year it expires in."),
}).meta({ id: "CardDetails", description: "The card that was charged." });
const walletSchema = strictObject({ type: outputText(64).describe("Which wallet the token came from.") }).meta({
  id: "WalletDetails",
  description: "The wallet that was charged.",
});
const bankTransferSchema = strictObject({
  dueAt: utcDateTime.describe("Pay by then, or the booking is cancelled."),
  iban: outputText(34).describe("The account to send the money to."),
  bic: outputText(11).describe("The bank of that account."),
  reference: outputText(140).describe("To be named in the transfer, so that it can be matched."),
}).meta({ id: "BankTransferDetails", description: "Where the money is to be sent." });

/** Exactly one of the three details is set. */
export const paymentMethodSchema = z
  .discriminatedUnion("type", [
    strictObject({ type: z.literal("card"), card: cardSchema, wallet: z.null(), bankTransfer: z.null() }).meta({
      id: "CardMethod",
      description: "Paid by card; the other details are null.",
    }),
    strictObject({ type: z.literal("wallet"), card: z.null(), wallet: walletSchema, bankTransfer: z.null() }).meta({
      id: "WalletMethod",
      description: "Paid by digital wallet; the other details are null.",
    }),
    strictObject({
      type: z.literal("bank_transfer"),
      card: z.null(),
      wallet: z.null(),
      bankTransfer: bankTransferSchema,
    }).meta({ id: "BankTransferMethod", description: "Paid by bank transfer; the other details are null." }),
  ])
  .meta({ id: "PaymentMethod", description: "How the customer pays: exactly one of the details is set." });
export type PaymentMethodBody = z.infer<typeof paymentMethodSchema>;

export const paymentSchema = strictObject({
  id: outputId.describe("Identifies the payment."),
  bookingId: outputId.describe("The booking paid for."),
  status: oneOf(PAYMENT_STATUSES).describe(
    "Cards and wallets are charged at once; a transfer is `pending` until the money arrives.",
  ),
  failureCode: oneOf(PAYMENT_FAILURE_CODES).nullable().describe("Why it failed, for programs; else null."),
  failureMessage: outputText(500).nullable().describe("Why it failed, for people; else null."),
  amount: cents.describe("What is charged, in cents: the total of the booking."),
  amountRefunded: cents.describe("What has been refunded so far, in cents; pending refunds count."),
  currency,
  method: paymentMethodSchema,
  metadata: outputMetadata,
  refunds: z.array(refundSchema).describe("Oldest first."),
  createdAt: utcDateTime.describe("When the payment was made."),
}).meta({ id: "Payment", description: "Money for a booking, taken or on its way." });
export type PaymentBody = z.infer<typeof paymentSchema>;

const token = text({ max: 255, blank: "refused" }).describe("What the gateway calls the customer's means of payment.");
const saveCard = z
  .boolean({ error: validationMessage })
  .default(false)
  .describe("Whether the card may be kept for later.");
const common = { metadata: metadata.optional() };

export const createPaymentSchema = z
  .discriminatedUnion(
    "type",
    [
      strictObject({ type: z.literal("card"), token, saveCard, ...common }).meta({
        id: "PayByCard",
        description: "Charges a card at once.",
      }),
      strictObject({
        type: z.literal("wallet"),
        walletType: oneOf(WALLET_TYPES).describe("Which wallet the token comes from."),
        token,
        ...common,
      }).meta({ id: "PayByWallet", description: "Charges a digital wallet at once." }),
      strictObject({ type: z.literal("bank_transfer"), ...common }).meta({
        id: "PayByBankTransfer",
        description: "Says where money is to be sent, and waits for it.",
      }),
    ],
    {
      error: (issue) =>
        issue.code === "invalid_union" ? "must be one of card, wallet, bank_transfer" : validationMessage(issue),
    },
  )
  .meta({ id: "CreatePayment", description: "How the booking is paid: by card, wallet or bank transfer." });
export type CreatePaymentRequest = z.infer<typeof createPaymentSchema>;
