import { PAYMENT_FAILURE_CODES } from "@travel-booking/domain";
import { z } from "zod";
import {
  cents,
  currency,
  identifier,
  instantParameter,
  metadata,
  nextInstantParameter,
  noObject,
  outputId,
  outputMetadata,
  outputText,
  text,
  utcDateTime,
  wholeNumber,
} from "../fields.ts";
import type { Operation } from "../operation.ts";
import { CARD_BRANDS } from "../vocabulary.ts";
import { listOf, pageParameters, pageQuerySchema } from "./page.ts";
import { createRefundSchema, refundSchema } from "./refund.ts";

const PAYMENT_STATUSES = ["pending", "succeeded", "failed"] as const;
export const WALLET_TYPES = ["apple_pay", "google_pay", "samsung_pay", "paypal"] as const;

const failureCode = z
  .enum(PAYMENT_FAILURE_CODES)
  .meta({ id: "PaymentFailureCode", description: "Why a payment failed." });

const cardSchema = z
  .strictObject({
    brand: z.enum(CARD_BRANDS).meta({ id: "CardBrand", description: "The network of a card." }),
    last4: outputText(4).describe("The last digits of its number."),
    expMonth: wholeNumber.min(1).max(12).describe("The month it expires in."),
    expYear: wholeNumber.describe("The year it expires in."),
  })
  .meta({ id: "CardDetails", description: "The card that was charged." });
const walletSchema = z.strictObject({ type: outputText(64).describe("Which wallet the token came from.") }).meta({
  id: "WalletDetails",
  description: "The wallet that was charged.",
});
const bankTransferSchema = z
  .strictObject({
    dueAt: utcDateTime.describe("Pay by then, or the booking is cancelled."),
    iban: outputText(34).describe("The account to send the money to."),
    bic: outputText(11).describe("The bank of that account."),
    reference: outputText(140).describe("To be named in the transfer, so that it can be matched."),
  })
  .meta({ id: "BankTransferDetails", description: "Where the money is to be sent." });

const paymentMethodSchema = z
  .discriminatedUnion("type", [
    z.strictObject({ type: z.literal("card"), card: cardSchema, wallet: noObject, bankTransfer: noObject }).meta({
      id: "CardMethod",
      description: "Paid by card; the other details are null.",
    }),
    z.strictObject({ type: z.literal("wallet"), card: noObject, wallet: walletSchema, bankTransfer: noObject }).meta({
      id: "WalletMethod",
      description: "Paid by digital wallet; the other details are null.",
    }),
    z
      .strictObject({
        type: z.literal("bank_transfer"),
        card: noObject,
        wallet: noObject,
        bankTransfer: bankTransferSchema,
      })
      .meta({ id: "BankTransferMethod", description: "Paid by bank transfer; the other details are null." }),
  ])
  .meta({ id: "PaymentMethod", description: "How the customer pays: exactly one of the details is set." });

const paymentStatus = z.enum(PAYMENT_STATUSES).meta({
  id: "PaymentStatus",
  description: "Cards and wallets are charged at once; a transfer is `pending` until the money arrives.",
});

export const paymentSchema = z
  .strictObject({
    id: outputId.describe("Identifies the payment."),
    bookingId: outputId.describe("The booking paid for."),
    status: paymentStatus,
    failureCode: failureCode.nullable().describe("Why it failed, for programs; else null."),
    failureMessage: outputText(500).nullable().describe("Why it failed, for people; else null."),
    amount: cents.describe("What is charged, in cents: the total of the booking."),
    amountRefunded: cents.describe("What has been refunded so far, in cents; pending refunds count."),
    currency,
    method: paymentMethodSchema,
    metadata: outputMetadata,
    refunds: z.array(refundSchema).describe("Oldest first."),
    createdAt: utcDateTime.describe("When the payment was made."),
  })
  .meta({ id: "Payment", description: "Money for a booking, taken or on its way." });
export type PaymentBody = z.infer<typeof paymentSchema>;

const token = text({ max: 255, blank: "refused" }).describe("What the gateway calls the customer's means of payment.");
const saveCard = z.boolean().default(false).describe("Whether the card may be kept for later; not unless told.");
const common = { metadata: metadata.optional() };

export const createPaymentSchema = z
  .discriminatedUnion(
    "type",
    [
      z.strictObject({ type: z.literal("card"), token, saveCard, ...common }).meta({
        id: "PayByCard",
        description: "Charges a card at once.",
      }),
      z
        .strictObject({
          type: z.literal("wallet"),
          walletType: z
            .enum(WALLET_TYPES)
            .meta({ id: "WalletType", description: "Which wallet the token comes from." }),
          token,
          ...common,
        })
        .meta({ id: "PayByWallet", description: "Charges a digital wallet at once." }),
      z.strictObject({ type: z.literal("bank_transfer"), ...common }).meta({
        id: "PayByBankTransfer",
        description: "Says where money is to be sent, and waits for it.",
      }),
    ],
    { error: ({ code }) => (code === "invalid_union" ? "must be one of card, wallet, bank_transfer" : undefined) },
  )
  .meta({ id: "CreatePayment", description: "How the booking is paid: by card, wallet or bank transfer." });
export type CreatePaymentRequest = z.infer<typeof createPaymentSchema>;

const NO_PAYMENT = { 404: ["payment_not_found"] } as const;

export const createPaymentOperation = {
  id: "createPayment",
  method: "POST",
  path: "/v1/bookings/{id}/payments",
  service: "command",
  tag: "Payments",
  summary: "Pay for a booking",
  description:
    "Cards and wallets are charged at once; a declined charge is a payment with the status `failed`, not an error. A bank transfer stays `pending` until the money arrives, and `method.bankTransfer` says where to send it. The same key never charges twice. 500 means that the outcome is not known yet, 503 that the gateway would not look at the charge. Either way the payment is `pending` and goes on by itself, another one gets 409, and the same key gets the outcome.",
  scope: "payments:write",
  body: createPaymentSchema,
  idempotencyKey: "required",
  success: { status: 201, body: paymentSchema },
  errors: {
    400: ["unknown_token"],
    404: ["booking_not_found"],
    409: [
      "booking_cancelled",
      "already_paid",
      "payment_in_progress",
      "transfer_pending",
      "too_many_payments",
      "flight_departed",
      "flight_cancelled",
    ],
    422: ["transfer_too_late"],
    503: ["gateway_unavailable"],
  },
} as const satisfies Operation;

/** Moments are exclusive, as for events. */
export const paymentListQuerySchema = z.strictObject({
  bookingId: identifier.describe("Only payments for this booking.").optional(),
  status: paymentStatus.describe("Only payments of this status.").optional(),
  createdAfter: instantParameter.describe("Only payments made later than this moment.").optional(),
  createdBefore: nextInstantParameter.describe("Only payments made earlier than this moment.").optional(),
  ...pageParameters,
});
export type PaymentListQuery = z.infer<typeof paymentListQuerySchema>;

export const listPaymentsOperation = {
  id: "listPayments",
  method: "GET",
  path: "/v1/payments",
  service: "query",
  tag: "Payments",
  summary: "List payments, newest first",
  description:
    "Filters hold together. A page may end early, even without an entry, and others behind it, where much was looked through.",
  scope: "payments:read",
  query: paymentListQuerySchema,
  success: { status: 200, body: listOf(paymentSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const listBookingPaymentsOperation = {
  id: "listBookingPayments",
  method: "GET",
  path: "/v1/bookings/{id}/payments",
  service: "query",
  tag: "Payments",
  summary: "List the payments of a booking, newest first",
  scope: "payments:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(paymentSchema) },
  errors: { 400: ["invalid_cursor"], 404: ["booking_not_found"] },
} as const satisfies Operation;

export const getPaymentOperation = {
  id: "getPayment",
  method: "GET",
  path: "/v1/payments/{id}",
  service: "query",
  tag: "Payments",
  summary: "Get a payment with its refunds",
  scope: "payments:read",
  success: { status: 200, body: paymentSchema },
  errors: NO_PAYMENT,
} as const satisfies Operation;

export const createRefundOperation = {
  id: "createRefund",
  method: "POST",
  path: "/v1/payments/{id}/refunds",
  service: "command",
  tag: "Payments",
  summary: "Refund a payment, in full or in part",
  description:
    "May be asked for again and again until everything is refunded. It does not cancel the booking: one that keeps less than half of its total counts as unpaid, and where the account may keep no more unpaid seats of the cabin, 409 `quota_exceeded` asks for its cancellation first. Refunds of bank transfers stay `pending` for a few days, and others until the gateway has carried them out.",
  scope: "payments:write",
  body: createRefundSchema,
  bodyOptional: true,
  idempotencyKey: "accepted",
  success: { status: 201, body: refundSchema },
  errors: {
    ...NO_PAYMENT,
    409: ["payment_not_succeeded", "payment_fully_refunded", "too_many_refunds", "quota_exceeded"],
    422: ["refund_too_large", "amount_invalid"],
  },
} as const satisfies Operation;
