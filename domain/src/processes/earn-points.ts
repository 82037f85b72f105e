import type { BookingDisrupted } from "../booking/events.ts";
import { reversalIdOf } from "../booking/ids.ts";
import { pointsOf, refundsAfterDeparture } from "../booking/rewards.ts";
import { isExistingBooking, isGrounding, netAmountPaid } from "../booking/state.ts";
import type { Instant } from "../shared/decision.ts";
import { followFlight } from "./follow-flight.ts";
import { dueTask, FOLLOW_UP_GRACE, type ProcessDefinition } from "./process.ts";
import { execute, faultPoint, type Saga } from "./saga.ts";

/** Whether a case may be open after its cancelled flight was to depart: nothing is earned until it flies after all. */
function outlastsDeparture({ respondBy = null, ...told }: BookingDisrupted["data"]): boolean {
  return isGrounding(told) && respondBy !== null && (told.after !== null || told.onSilence === null);
}

/** Who has no place may answer until the departure. */
function departsAtOf({ after, respondBy }: BookingDisrupted["data"]): Instant | undefined {
  return after?.departsAt ?? respondBy ?? undefined;
}

function departure(dueAt: Instant | undefined, bookingId: string) {
  return dueAt === undefined ? undefined : { bookingId, dueAt };
}

const earnPointsTask = dueTask({
  kind: "earn_points",
  openedBy: {
    BookingCreated: ({ data }, bookingId) => ({ bookingId, dueAt: data.departsAt }),
    BookingMoved: ({ data }, bookingId) => ({ bookingId, dueAt: data.departsAt }),
    DepartureMoved: ({ data }, bookingId) => ({ bookingId, dueAt: data.departsAt }),
    CaseRevised: ({ data }, bookingId) => departure(isGrounding(data) ? undefined : departsAtOf(data), bookingId),
    CaseResolved: ({ data }, bookingId) => departure(data.departsAt, bookingId),
  },
  closedBy: {
    BookingDisrupted: ({ data }, bookingId) => (outlastsDeparture(data) ? bookingId : []),
    CaseRevised: ({ data }, bookingId) => (outlastsDeparture(data) ? bookingId : []),
    BookingCancelled: ({ data }, bookingId) => (data.keepsPoints === true ? [] : bookingId),
    BookingFlown: ({ data }, bookingId) => (data.amount === 0 && data.pending === 0 ? bookingId : []),
    PointsEarned: ({ data }) => data.bookingId,
  },
  key: ({ bookingId }) => bookingId,
  run: ({ bookingId }) => postBookingPoints(bookingId),
});

const reversePoints = dueTask({
  kind: "reverse_points",
  openedBy: {
    RefundStarted: ({ at, data: { refundId, departed } }, bookingId) =>
      departed === true ? { bookingId, refundId, dueAt: at + FOLLOW_UP_GRACE } : undefined,
    TransferReversed: ({ at, data: { entryId, reversals, departed } }, bookingId) =>
      departed === true
        ? { bookingId, refundId: reversalIdOf(entryId, reversals), dueAt: at + FOLLOW_UP_GRACE }
        : undefined,
  },
  closedBy: {
    PointsEarned: ({ data }) => data.refundIds,
    PointsReversed: ({ data }) => data.refundIds,
  },
  key: ({ refundId }) => refundId,
  run: ({ bookingId }) => postBookingPoints(bookingId),
});

/** One task for all points of an account that expire at the same moment. */
const expirePoints = dueTask({
  kind: "expire_points",
  openedBy: {
    PointsEarned: ({ data: { accountId, expiresAt, posting } }) =>
      posting === null ? undefined : { accountId, dueAt: expiresAt },
    PointsAdjusted: ({ data: { accountId, expiresAt } }) =>
      expiresAt === null ? undefined : { accountId, dueAt: expiresAt },
  },
  closedBy: { PointsExpired: ({ data: { accountId, expiresAt } }) => `${accountId}/${expiresAt}` },
  key: ({ accountId, dueAt }) => `${accountId}/${dueAt}`,
  *run({ accountId }) {
    yield* execute("loyalty", accountId, { type: "ExpirePoints", accountId });
  },
});

/**
 * Brings the points of a booking whose flight has departed in line with what is paid: earns points, or takes them back
 * after a refund. The booking records its departure first, so that every refund is seen either before or after it.
 * Idempotent.
 */
export function* postBookingPoints(bookingId: string): Saga {
  yield* followFlight(bookingId, () => undefined);
  const departed = yield* execute("booking", bookingId, { type: "RecordDeparture" }, (booking) =>
    isExistingBooking(booking) && booking.flown
      ? {
          accountId: booking.accountId,
          departsAt: booking.departsAt,
          amount: netAmountPaid(booking),
          points: pointsOf(booking),
          pending: booking.pendingPoints,
          refundIds: refundsAfterDeparture(booking),
        }
      : undefined,
  );
  yield* faultPoint("points:departed");
  if (departed.reply === undefined) return;
  yield* execute("loyalty", departed.reply.accountId, { type: "PostBooking", bookingId, ...departed.reply });
  yield* faultPoint("points:posted");
}

export const earnPoints = {
  name: "earn points",
  steps: "booking records its departure (and what is paid), account posts the points",
  undoneBy: "nothing: a refund posts again what is still paid",
  tasks: [earnPointsTask, reversePoints, expirePoints],
} as const satisfies ProcessDefinition;
