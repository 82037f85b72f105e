import { assertNever } from "../shared/assert-never.ts";
import type {
  PaymentFailed,
  PaymentStarted,
  PaymentSucceeded,
  RefundStarted,
  RefundSucceeded,
  ReturnDue,
  ReturnSent,
  TransferReceived,
} from "./events.ts";
import { paymentOf, refundOf } from "./lookups.ts";
import type { PendingPoints } from "./rewards/events.ts";
import type { ExistingBooking } from "./state.ts";

export type PaymentEvent =
  | PaymentStarted
  | PaymentSucceeded
  | PaymentFailed
  | TransferReceived
  | ReturnDue
  | ReturnSent
  | RefundStarted
  | RefundSucceeded;

/** Folds what happened to the money of a booking into it, in place. */
export function evolvePayments(booking: ExistingBooking, event: PaymentEvent): void {
  switch (event.type) {
    case "PaymentStarted": {
      const { method } = event.data;
      booking.payments.push({
        ...event.data,
        createdAt: event.at,
        status: "pending",
        failureCode: null,
        refunds: [],
        entries: [],
      });
      if (booking.status === "pending" && method.type === "bank_transfer")
        booking.expiresAt = method.bankTransfer.dueAt;
      return;
    }
    case "PaymentSucceeded":
      paymentOf(booking, event.data.paymentId).status = "succeeded";
      setPendingPoints(booking, event.data.pending);
      return;
    case "PaymentFailed": {
      const payment = paymentOf(booking, event.data.paymentId);
      payment.status = "failed";
      payment.failureCode = event.data.failureCode;
      return;
    }
    case "TransferReceived": {
      const { paymentId, ...entry } = event.data;
      paymentOf(booking, paymentId).entries.push({ ...entry, receivedAt: event.at });
      return;
    }
    case "ReturnDue":
      booking.returns.push({ ...event.data, createdAt: event.at, status: "due" });
      return;
    case "ReturnSent": {
      const owed = booking.returns.find(({ returnId }) => returnId === event.data.returnId);
      if (owed === undefined) throw new Error(`return ${event.data.returnId} was sent but never due`);
      owed.status = "sent";
      return;
    }
    case "RefundStarted": {
      const { pending, departed: _, ...refund } = event.data;
      paymentOf(booking, refund.paymentId).refunds.push({ ...refund, createdAt: event.at, status: "pending" });
      setPendingPoints(booking, pending);
      return;
    }
    case "RefundSucceeded":
      refundOf(booking, event.data.refundId).status = "succeeded";
      return;
    default:
      assertNever(event);
  }
}

function setPendingPoints(booking: ExistingBooking, pending: PendingPoints | undefined): void {
  if (pending !== undefined) booking.pendingPoints = pending.to;
}
