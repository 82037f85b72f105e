import { REFUND_REASONS } from "@travel-booking/domain";
import type { z } from "zod";
import { REFUND_STATUSES } from "../enumerations.ts";
import { currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";

export const refundSchema = strictObject({
  id: outputId.describe("Identifies the refund."),
  paymentId: outputId.describe("The payment it gives money back of."),
  amount: wholeNumber.min(1).describe("How much, in cents."),
  currency,
  reason: oneOf(REFUND_REASONS).describe("Why the money went back."),
  status: oneOf(REFUND_STATUSES).describe("`pending` until the money is on its way; transfers take a few days."),
  createdAt: utcDateTime.describe("When the refund was asked for."),
}).meta({ id: "Refund", description: "Money given back to the customer." });
export type RefundBody = z.infer<typeof refundSchema>;

/** `amount` in cents; everything not yet refunded where it is absent. */
export const createRefundSchema = strictObject({
  reason: oneOf(REFUND_REASONS).describe("Why the money goes back.").default("requested_by_customer"),
  amount: wholeNumber
    .min(1)
    .describe("How much, in cents; everything not yet refunded where it is left out.")
    .optional(),
}).meta({ id: "CreateRefund", description: "How much is given back, and why." });
export type CreateRefundRequest = z.infer<typeof createRefundSchema>;
