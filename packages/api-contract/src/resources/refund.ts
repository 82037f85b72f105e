import { REFUND_REASONS } from "@travel-booking/domain";
import { z } from "zod";
import { currency, outputId, utcDateTime, wholeNumber } from "../fields.ts";

const REFUND_STATUSES = ["pending", "succeeded"] as const;

const refundReason = z.enum(REFUND_REASONS).meta({ id: "RefundReason", description: "Why money goes back." });

export const refundSchema = z
  .strictObject({
    id: outputId.describe("Identifies the refund."),
    paymentId: outputId.describe("The payment it gives money back of."),
    amount: wholeNumber.min(1).describe("How much, in cents."),
    currency,
    reason: refundReason,
    status: z.enum(REFUND_STATUSES).meta({
      id: "RefundStatus",
      description: "It is `pending` until the money is on its way; transfers take a few days.",
    }),
    createdAt: utcDateTime.describe("When the refund was asked for."),
  })
  .meta({ id: "Refund", description: "Money given back to the customer." });
export type RefundBody = z.infer<typeof refundSchema>;

export const createRefundSchema = z
  .strictObject({
    reason: refundReason
      .default("requested_by_customer")
      .describe("Why the money goes back; `requested_by_customer` unless told."),
    amount: wholeNumber
      .min(1)
      .describe("How much, in cents; everything not yet refunded where it is left out.")
      .optional(),
  })
  .meta({ id: "CreateRefund", description: "How much is given back, and why." });
export type CreateRefundRequest = z.infer<typeof createRefundSchema>;
