import { timestamp } from "@travel-booking/api-contract/bodies";
import { type ExistingBooking, findRefund, hasFailed } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  type DisputeRow,
  type RecordedBookingEvent,
  type RefundRow,
} from "@travel-booking/read-models";
import { wholeDocument } from "../../projection.ts";
import type { CreatedAt } from "./transfer-writes.ts";

const { refund, dispute } = BOOKINGS;

function sortedBy(created: bigint) {
  return { partition: ALL_PARTITION, sort: positionSort(created) };
}

/**
 * What an event changes of the refunds that have not arrived and of the disputes, as operators see them. `booking`: after
 * the event.
 */
export function gatewayWrites(booking: ExistingBooking, event: RecordedBookingEvent, createdAt: CreatedAt): Write[] {
  switch (event.type) {
    case "RefundStarted":
    case "RefundSucceeded":
    case "RefundFailed":
    case "RefundRetried":
      return refundWrites(booking, event.data.refundId, createdAt, event.position);
    case "PaymentDisputed": {
      const { bookingId, accountId } = booking;
      const { disputeId: id, paymentId, amount, currency, reason, status } = event.data;
      const changedAt = timestamp(event.at);
      const row: DisputeRow = { id, paymentId, bookingId, accountId, amount, currency, reason, status, changedAt };
      const created = createdAt(id);
      const indexes = { [dispute.oldest]: sortedBy(created) };
      const body = JSON.stringify(row);
      return [wholeDocument(dispute.model, { key: id, position: event.position, created, body, indexes })];
    }
    default:
      return [];
  }
}

function refundWrites(booking: ExistingBooking, refundId: string, createdAt: CreatedAt, position: bigint): Write[] {
  const found = findRefund(booking, refundId);
  if (found === undefined) return [];
  const { model } = refund;
  const created = createdAt(refundId);
  const indexes = { [refund.oldest]: sortedBy(created) };
  if (found.status === "succeeded") {
    return [{ kind: "delete", model, key: refundId, position, fixed: { created, indexes } }];
  }
  const { paymentId, amount, currency, failure } = found;
  const failed = hasFailed(found);
  const row: RefundRow = {
    id: refundId,
    paymentId,
    bookingId: booking.bookingId,
    accountId: booking.accountId,
    amount,
    currency,
    status: failed ? "failed" : "pending",
    failureReason: failed ? (failure?.reason ?? null) : null,
    createdAt: timestamp(found.createdAt),
  };
  return [wholeDocument(model, { key: refundId, position, created, body: JSON.stringify(row), indexes })];
}
