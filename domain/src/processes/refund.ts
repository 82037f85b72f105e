import {
  type BookingState,
  findRefund,
  hasFailed,
  isExistingBooking,
  type Refund,
  refundOf,
  refundsOf,
} from "../booking/state.ts";
import type { Instant } from "../shared/decision.ts";
import { DAY, HOUR, SECOND } from "../shared/time.ts";
import { dueTask, FOLLOW_UP_GRACE, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { call, execute, faultPoint, type RefundOutcome, type RefundToSend, readState, type Saga } from "./saga.ts";

const sendRefundTask = dueTask({
  kind: "send_refund",
  openedBy: {
    RefundStarted: ({ at, data: { refundId, settlesAt } }, bookingId) =>
      settlesAt === null ? { bookingId, refundId, dueAt: at + FOLLOW_UP_GRACE } : undefined,
    RefundRetried: ({ at, data: { refundId } }, bookingId) => ({ bookingId, refundId, dueAt: at + FOLLOW_UP_GRACE }),
  },
  closedBy: {
    RefundSucceeded: ({ data }) => data.refundId,
    RefundAwaited: ({ data }) => data.refundId,
    RefundFailed: ({ data }) => data.refundId,
  },
  key: ({ refundId }) => refundId,
  *run({ bookingId, refundId }) {
    const refund = yield* readOpenRefund(bookingId, refundId);
    if (refund !== undefined) yield* sendRefund(refund);
  },
});

/** Pauses between checks of a refund that is on its way (docs/rules.md#refund-settlement). */
const CHECK_AFTER = [20 * SECOND, HOUR, DAY] as const;

function checkDueAt(at: Instant, checks: number): Instant {
  return at + (CHECK_AFTER[checks - 1] ?? DAY);
}

/** Finds outcomes without inbound events, too. */
const checkRefundTask = dueTask({
  kind: "check_refund",
  openedBy: {
    RefundAwaited: ({ at, data: { refundId, checks } }, bookingId) => ({
      bookingId,
      refundId,
      dueAt: checkDueAt(at, checks),
    }),
  },
  closedBy: {
    RefundSucceeded: ({ data }) => data.refundId,
    RefundFailed: ({ data }) => data.refundId,
  },
  key: ({ refundId }) => refundId,
  *run({ bookingId, refundId }) {
    const refund = yield* readOpenRefund(bookingId, refundId);
    if (refund === undefined) return;
    const outcome = yield* call("refundOutcome", refund);
    if (outcome === undefined) yield* sendRefund(refund);
    else yield* recordRefundOutcome(refund, outcome);
  },
});

/** Refunds of a bank transfer settle by time alone, without a gateway. */
const settleRefundTask = dueTask({
  kind: "settle_refund",
  openedBy: {
    RefundStarted: ({ data: { refundId, settlesAt } }, bookingId) =>
      settlesAt === null ? undefined : { bookingId, refundId, dueAt: settlesAt },
  },
  closedBy: { RefundSucceeded: ({ data }) => data.refundId },
  key: ({ refundId }) => refundId,
  *run({ bookingId, refundId }) {
    yield* execute("booking", bookingId, { type: "SettleRefund", refundId });
  },
});

/**
 * Ends a refund that the flight has counted and the booking has not started: it was refused, or a request left it open.
 * The booking is closed against it first. The flight then asks the booking again whether it is paid.
 */
const forgetRefund = dueTask({
  kind: "forget_refund",
  ofRequest: true,
  openedBy: {
    SeatsRefunded: ({ at, data: { bookingId, refundId } }, flightId) =>
      refundId === undefined ? undefined : { flightId, bookingId, refundId, dueAt: at + RECOVERY_GRACE },
  },
  closedBy: {
    RefundStarted: ({ data }, bookingId) => (data.keepsLessThanHalf === true ? bookingId : []),
    SeatsRefundUndone: ({ data }) => data.bookingId,
    AllocationReleased: ({ data }) => data.bookingId,
  },
  key: ({ bookingId }) => bookingId,
  *run({ flightId, bookingId, refundId }) {
    const closed = yield* execute(
      "booking",
      bookingId,
      { type: "CloseRefund", refundId },
      (booking) => findRefund(booking, refundId) === undefined,
    );
    if (closed.reply === true) yield* execute("flight", flightId, { type: "UndoRefundedSeats", bookingId, refundId });
  },
});

/** Tells the flight of a refund that a former release started, which told it only afterwards. */
const recountSeats = dueTask({
  kind: "recount_seats",
  openedBy: {
    RefundStarted: ({ at, data: { keepsNothing } }, bookingId) =>
      keepsNothing === true ? { bookingId, dueAt: at + FOLLOW_UP_GRACE } : undefined,
  },
  closedBy: {
    SeatsRefunded: ({ data }) => data.bookingId,
    BookingCancelled: (_, bookingId) => bookingId,
  },
  key: ({ bookingId }) => bookingId,
  *run({ bookingId }) {
    const booking = yield* readState("booking", bookingId, (state) =>
      isExistingBooking(state) ? { flightId: state.flightId, accountId: state.accountId } : undefined,
    );
    if (booking === undefined) throw new Error(`booking ${bookingId} is refunded and not there`);
    const { flightId, accountId } = booking;
    yield* execute("flight", flightId, { type: "RecordRefundedSeats", bookingId, accountId });
  },
});

/** Sends one refund and records its outcome. Idempotent, because the gateway refunds an attempt only once. */
function* sendRefund(refund: RefundToSend): Saga<Refund | undefined> {
  yield* faultPoint("refund:sending");
  const outcome = yield* call("sendRefund", refund);
  yield* faultPoint("refund:sent");
  const recorded = yield* recordRefundOutcome(refund, outcome);
  yield* faultPoint("refund:settled");
  return recorded;
}

function* recordRefundOutcome(
  { bookingId, refundId, attempt }: RefundToSend,
  outcome: RefundOutcome,
): Saga<Refund | undefined> {
  const command = (() => {
    switch (outcome.status) {
      case "succeeded":
        return { type: "SettleRefund", refundId } as const;
      case "pending":
        return { type: "AwaitRefund", refundId } as const;
      case "failed":
        return { type: "FailRefund", refundId, attempt, reason: outcome.reason } as const;
    }
  })();
  const recorded = yield* execute("booking", bookingId, command, (booking) => ({ ...refundOf(booking, refundId) }));
  if (outcome.status === "failed") {
    const fields = { bookingId, refundId, attempt, reason: outcome.reason };
    yield* call("warn", "the gateway has not carried out a refund: an operator retries or settles it", fields);
  }
  return recorded.reply;
}

/** Sends a refund within the request that started it. Undefined if not confirmed yet; the task stays on the list. */
export function* trySendRefund(refund: RefundToSend): Saga<Refund | undefined> {
  try {
    return yield* sendRefund(refund);
  } catch (err) {
    const { bookingId, refundId } = refund;
    yield* call("warn", "refund not confirmed by the gateway yet", { err, bookingId, refundId });
    return undefined;
  }
}

/** Finds the outcome of a refund after an inbound event, even of one that had arrived. */
export function* lookAtRefund(bookingId: string, refundId: string): Saga {
  const refund = yield* readState("booking", bookingId, (booking) =>
    refundsOf(booking)
      .filter((each) => each.refundId === refundId && each.settlesAt === null)
      .map((each) => toSend(bookingId, each))
      .at(0),
  );
  const outcome = refund && (yield* call("refundOutcome", refund));
  if (refund !== undefined && outcome !== undefined && outcome.status !== "pending") {
    yield* recordRefundOutcome(refund, outcome);
  }
}

/** The refunds of a booking that the gateway was not asked for, or has not answered. */
export function refundsToSend(bookingId: string, booking: BookingState): readonly RefundToSend[] {
  return openRefunds(booking)
    .filter(({ checks }) => checks === 0)
    .map((refund) => toSend(bookingId, refund));
}

function* readOpenRefund(bookingId: string, refundId: string): Saga<RefundToSend | undefined> {
  return yield* readState("booking", bookingId, (booking) =>
    openRefunds(booking)
      .filter((refund) => refund.refundId === refundId)
      .map((refund) => toSend(bookingId, refund))
      .at(0),
  );
}

/** Refunds whose outcome only a gateway knows. */
function openRefunds(booking: BookingState): readonly Refund[] {
  return refundsOf(booking).filter(
    (refund) => refund.status === "pending" && refund.settlesAt === null && !hasFailed(refund),
  );
}

/** A refund as the gateway was asked for it. @throws Error the booking has no such refund. */
export function refundToSendOf(bookingId: string, booking: BookingState, refundId: string): RefundToSend {
  return toSend(bookingId, refundOf(booking, refundId));
}

function toSend(bookingId: string, refund: Refund): RefundToSend {
  const { refundId, attempt, paymentId, amount, currency, reason } = refund;
  return { bookingId, refundId, attempt, paymentId, amount, currency, reason };
}

export const refund = {
  name: "refund",
  steps:
    "flight counts the seats of one that will keep less than half as unpaid, booking records the intent, gateway refunds under the refund's id (a transfer: its days pass), booking records that it arrived, is on its way, or failed",
  undoneBy:
    "booking is closed against a refund it has not started, then the flight forgets it; each later step is repeated until done, and a failed refund waits for an operator",
  tasks: [sendRefundTask, checkRefundTask, settleRefundTask, forgetRefund, recountSeats],
} as const satisfies ProcessDefinition;
