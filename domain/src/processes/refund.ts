import type { Refund } from "../booking/payment.ts";
import type { BookingState } from "../booking/state.ts";
import { refundOf, refundsOf } from "../booking/state.ts";
import { dueTask, FOLLOW_UP_GRACE, type ProcessDefinition } from "./process.ts";
import { call, execute, faultPoint, type RefundToSend, type Saga } from "./saga.ts";

const sendRefundTask = dueTask({
  kind: "send_refund",
  openedBy: {
    RefundStarted: ({ at, data: { refundId, paymentId, amount, currency, settlesAt } }, bookingId) =>
      settlesAt === null
        ? { bookingId, refundId, paymentId, amount, currency, dueAt: at + FOLLOW_UP_GRACE }
        : undefined,
  },
  closedBy: { RefundSucceeded: ({ data }) => data.refundId },
  key: ({ refundId }) => refundId,
  run: (task) => sendRefund(task),
});

/** Refunds of a bank transfer arrive by time alone: no gateway takes part. */
const settleRefundTask = dueTask({
  kind: "settle_refund",
  openedBy: {
    RefundStarted: ({ data: { refundId, settlesAt } }, bookingId) =>
      settlesAt === null ? undefined : { bookingId, refundId, dueAt: settlesAt },
  },
  closedBy: { RefundSucceeded: ({ data }) => data.refundId },
  key: ({ refundId }) => refundId,
  run: ({ bookingId, refundId }) => settleRefund(bookingId, refundId),
});

/** Sends one refund and records that it arrived. Idempotent: the gateway refunds an id once. */
function* sendRefund(refund: RefundToSend): Saga<Refund | undefined> {
  yield* faultPoint("refund:sending");
  yield* call("sendRefund", refund);
  yield* faultPoint("refund:sent");
  const settled = yield* settleRefund(refund.bookingId, refund.refundId);
  yield* faultPoint("refund:settled");
  return settled;
}

function* settleRefund(bookingId: string, refundId: string): Saga<Refund | undefined> {
  const settled = yield* execute("booking", bookingId, { type: "SettleRefund", refundId }, (booking) => ({
    ...refundOf(booking, refundId),
  }));
  return settled.reply;
}

/** Sends a refund within the request that started it. Undefined: not confirmed yet; it stays on the list. */
export function* trySendRefund(refund: RefundToSend): Saga<Refund | undefined> {
  try {
    return yield* sendRefund(refund);
  } catch (err) {
    const { bookingId, refundId } = refund;
    yield* call("warn", "refund not confirmed by the gateway yet", { err, bookingId, refundId });
    return undefined;
  }
}

/** The refunds of a booking that the gateway has not confirmed yet. */
export function refundsToSend(bookingId: string, booking: BookingState): readonly RefundToSend[] {
  return refundsOf(booking)
    .filter((refund) => refund.status === "pending" && refund.settlesAt === null)
    .map(({ refundId, paymentId, amount, currency }) => ({ bookingId, refundId, paymentId, amount, currency }));
}

export const refund = {
  name: "refund",
  steps:
    "booking records the intent, gateway refunds under the refund's id (a transfer: its days pass), booking records that it arrived",
  undoneBy: "nothing: each step is repeated until done",
  tasks: [sendRefundTask, settleRefundTask],
} as const satisfies ProcessDefinition;
