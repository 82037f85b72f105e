import { REFUND_REASONS } from "@travel-booking/domain";
import { z } from "zod";
import { REFUND_STATUSES } from "../enumerations.ts";
import { currency, wholeNumber } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { utcDateTime } from "../fields/time.ts";

export const refundSchema = strict({
  id: z.string(),
  paymentId: z.string(),
  amount: wholeNumber.min(1),
  currency,
  reason: oneOf(REFUND_REASONS),
  status: oneOf(REFUND_STATUSES),
  createdAt: utcDateTime,
});
export type RefundBody = z.infer<typeof refundSchema>;

/** `amount` in cents; everything not yet refunded where it is absent. */
export const createRefundSchema = strict({
  reason: oneOf(REFUND_REASONS).default("requested_by_customer"),
  amount: wholeNumber.min(1).optional(),
});
export type CreateRefundRequest = z.infer<typeof createRefundSchema>;
