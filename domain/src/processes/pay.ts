import type { RecordedOutcome } from "../booking/commands.ts";
import type { Dispute } from "../booking/payment.ts";
import { isPastExpiry } from "../booking/rules.ts";
import {
  type BookingState,
  type ExistingBooking,
  findPayment,
  isExistingBooking,
  type Payment,
  pendingCharges,
} from "../booking/state.ts";
import { followFlight } from "./follow-flight.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { refundsToSend, trySendRefund } from "./refund.ts";
import { call, execute, faultPoint, readState, type Saga, type StartedCharge } from "./saga.ts";

const expireBooking = dueTask({
  kind: "expire_booking",
  openedBy: {
    BookingCreated: ({ data: { expiresAt } }, bookingId) =>
      expiresAt === null ? undefined : { bookingId, dueAt: expiresAt },
    PaymentStarted: ({ data: { method } }, bookingId) =>
      method.type === "bank_transfer" ? { bookingId, dueAt: method.bankTransfer.dueAt } : undefined,
    DepartureMoved: ({ data: { expiresAt } }, bookingId) =>
      expiresAt === undefined ? undefined : { bookingId, dueAt: expiresAt },
  },
  closedBy: {
    BookingConfirmed: (_, bookingId) => bookingId,
    BookingCancelled: (_, bookingId) => bookingId,
  },
  key: ({ bookingId }) => bookingId,
  /** Closes all open charges first, because only then may a booking expire. */
  *run({ bookingId, dueAt }) {
    const open = yield* followFlight(bookingId, (booking) =>
      isPastExpiry(booking, dueAt) ? pendingCharges(booking).map((payment) => startedCharge(booking, payment)) : [],
    );
    for (const charge of open ?? []) yield* closeCharge(charge, "cancelCharge");
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
    PaymentWithdrawn: ({ data }) => data.paymentId,
  },
  key: ({ paymentId }) => paymentId,
  /** Also for a charge that the gateway refused before executing it. It continues while the booking can be paid. */
  *run({ bookingId, paymentId }) {
    const found = yield* readCharge(bookingId, paymentId);
    if (found?.status === "pending") yield* closeCharge(found.charge, found.isWanted ? "finishCharge" : "cancelCharge");
  },
});

/** The charge as the gateway is asked for it. */
export function startedCharge(booking: ExistingBooking, payment: Payment): StartedCharge {
  const { bookingId, accountId } = booking;
  const { paymentId, amount, currency, method } = payment;
  const saveCard = method.type === "card" && method.saveCard;
  return {
    paymentId,
    bookingId,
    accountId,
    amount,
    currency,
    method: method.type === "wallet" ? "wallet" : "card",
    saveCard,
  };
}

function* readCharge(bookingId: string, paymentId: string) {
  return yield* readState("booking", bookingId, (booking) => {
    const payment = findPayment(booking, paymentId);
    if (!isExistingBooking(booking) || payment === undefined || payment.method.type === "bank_transfer")
      return undefined;
    const isWanted = booking.status === "pending";
    return { charge: startedCharge(booking, payment), status: payment.status, isWanted };
  });
}

/** Finds the outcome of a charge after an inbound event, even of one that had failed. */
export function* lookAtCharge(bookingId: string, paymentId: string): Saga {
  const found = yield* readCharge(bookingId, paymentId);
  if (found === undefined || found.status === "succeeded") return;
  const outcome = yield* call("chargeOutcome", found.charge);
  if (outcome !== undefined) yield* recordChargeOutcome(bookingId, paymentId, outcome, () => undefined);
}

/** Ends an open charge with the outcome that the gateway decides (docs/rules.md#open-charges). */
function* closeCharge(charge: StartedCharge, port: "finishCharge" | "cancelCharge"): Saga {
  const outcome = yield* call(port, charge);
  yield* recordChargeOutcome(charge.bookingId, charge.paymentId, outcome, () => undefined);
}

/** Records the gateway's report of a dispute, and notifies the operator if it is new. */
export function* recordDispute(bookingId: string, paymentId: string, dispute: Dispute): Saga {
  const command = { type: "RecordDispute", paymentId, dispute } as const;
  const recorded = yield* execute("booking", bookingId, command, (_, events) => events.length > 0);
  if (recorded.reply !== true) return;
  const { disputeId, status } = dispute;
  yield* call("warn", "a charge is disputed", { bookingId, paymentId, disputeId, status });
}

/** Records the outcome of a charge and its consequences. A charge that came too late is refunded at once. */
export function* recordChargeOutcome<Reply>(
  bookingId: string,
  paymentId: string,
  outcome: RecordedOutcome,
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
