import type { RecordPaymentOutcome } from "../booking/commands.ts";
import type { BookingState } from "../booking/state.ts";
import { pendingCharges } from "../booking/state.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { refundsToSend, trySendRefund } from "./refund.ts";
import { call, execute, faultPoint, readState, type Saga } from "./saga.ts";

const expireBooking = dueTask({
  kind: "expire_booking",
  openedBy: {
    BookingCreated: ({ data: { expiresAt } }, bookingId) =>
      expiresAt === null ? undefined : { bookingId, dueAt: expiresAt },
    PaymentStarted: ({ data: { method } }, bookingId) =>
      method.type === "bank_transfer" ? { bookingId, dueAt: method.bankTransfer.dueAt } : undefined,
  },
  closedBy: {
    BookingConfirmed: (_, bookingId) => bookingId,
    BookingCancelled: (_, bookingId) => bookingId,
  },
  key: ({ bookingId }) => bookingId,
  /** A booking may only expire once no charge of it is open. */
  *run({ bookingId }) {
    const open = yield* readState("booking", bookingId, (booking) =>
      pendingCharges(booking).map(({ paymentId }) => paymentId),
    );
    for (const paymentId of open) yield* closePayment(bookingId, paymentId);
    yield* execute("booking", bookingId, { type: "ExpireBooking" });
  },
});

const closePaymentTask = dueTask({
  kind: "close_payment",
  ofRequest: true,
  openedBy: {
    PaymentStarted: ({ at, data: { paymentId, method } }, bookingId) =>
      method.type === "bank_transfer" ? undefined : { bookingId, paymentId, dueAt: at + RECOVERY_GRACE },
  },
  closedBy: {
    PaymentSucceeded: ({ data }) => data.paymentId,
    PaymentFailed: ({ data }) => data.paymentId,
  },
  key: ({ paymentId }) => paymentId,
  run: ({ bookingId, paymentId }) => closePayment(bookingId, paymentId),
});

/**
 * Ends an open charge: with its outcome where the gateway has one, else the gateway bars its id for good and the payment
 * fails (docs/rules.md#open-charges).
 */
function* closePayment(bookingId: string, paymentId: string): Saga {
  const closed = yield* call("cancelCharge", paymentId);
  const outcome =
    closed.status === "barred" ? ({ status: "failed", failureCode: "processing_error" } as const) : closed;
  yield* recordChargeOutcome(bookingId, paymentId, outcome, () => undefined);
}

/** Records the outcome of a charge and what follows from it. Refunds a charge that came too late at once. */
export function* recordChargeOutcome<Reply>(
  bookingId: string,
  paymentId: string,
  outcome: RecordPaymentOutcome["outcome"],
  reply: (booking: BookingState) => Reply,
): Saga<Reply> {
  const command = { type: "RecordPaymentOutcome", paymentId, outcome } as const;
  const recorded = yield* execute(
    "booking",
    bookingId,
    command,
    (booking) => ({ answer: reply(booking), refunds: refundsToSend(bookingId, booking) }),
    ({ refunds }) => refunds.length === 0,
  );
  if (!recorded.accepted) {
    throw new Error(`the outcome of payment ${paymentId} was refused: ${recorded.rejection.code}`);
  }
  yield* faultPoint("pay:recorded");
  for (const refund of recorded.reply.refunds) yield* trySendRefund(refund);
  return recorded.reply.answer;
}

export const pay = {
  name: "pay",
  steps:
    "booking records the intent, gateway charges under the payment's id, booking records the outcome with its consequence",
  undoneBy: "the gateway's outcome is fetched, or the id is barred there for good and the payment fails",
  tasks: [expireBooking, closePaymentTask],
} as const satisfies ProcessDefinition;
