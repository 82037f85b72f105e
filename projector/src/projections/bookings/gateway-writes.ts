import { timestamp } from "@travel-booking/api-contract/bodies";
import { findRefund, hasFailed } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import { BOOKINGS, type DisputeRow, type RefundRow } from "@travel-booking/read-models";
import { type BookingChange, rowDelete, rowWrite } from "./row-writes.ts";

const { refund, dispute } = BOOKINGS;

/** What an event changes of the refunds that have not arrived and of the disputes, as operators see them. */
export function gatewayWrites(change: BookingChange): Write[] {
  const { booking, event } = change;
  switch (event.type) {
    case "RefundStarted":
    case "RefundSucceeded":
    case "RefundFailed":
    case "RefundRetried":
      return refundWrites(change, event.data.refundId);
    case "PaymentDisputed": {
      const { bookingId, accountId } = booking;
      const { disputeId: id, paymentId, amount, currency, reason, status } = event.data;
      const changedAt = timestamp(event.at);
      const row: DisputeRow = { id, paymentId, bookingId, accountId, amount, currency, reason, status, changedAt };
      return [rowWrite(change, [dispute.model, dispute.oldest], row, event.at)];
    }
    default:
      return [];
  }
}

function refundWrites(change: BookingChange, refundId: string): Write[] {
  const { bookingId, accountId } = change.booking;
  const found = findRefund(change.booking, refundId);
  if (found === undefined) return [];
  if (found.status === "succeeded") return [rowDelete(change, refund.model, refundId)];
  const { paymentId, amount, currency, failure, createdAt } = found;
  const failed = hasFailed(found);
  const row: RefundRow = {
    id: refundId,
    paymentId,
    bookingId,
    accountId,
    amount,
    currency,
    status: failed ? "failed" : "pending",
    failureReason: failed ? (failure?.reason ?? null) : null,
    createdAt: timestamp(createdAt),
  };
  return [rowWrite(change, [refund.model, refund.oldest], row, createdAt)];
}
