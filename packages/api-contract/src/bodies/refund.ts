import type { Refund } from "@travel-booking/domain";
import type { RefundBody } from "../resources/refund.ts";
import { timestamp } from "./timestamp.ts";

export function refundBody(refund: Refund): RefundBody {
  return {
    id: refund.refundId,
    paymentId: refund.paymentId,
    amount: refund.amount,
    currency: refund.currency,
    reason: refund.reason,
    status: refund.status,
    createdAt: timestamp(refund.createdAt),
  };
}
