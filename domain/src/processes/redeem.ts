import { isUndelivered, sumOf } from "../booking/rules.ts";
import { findReward, type GrantedReward, isExistingBooking } from "../booking/state.ts";
import { BOOKING_CREDIT } from "../loyalty/rules.ts";
import type { LoyaltyState, Redemption } from "../loyalty/state.ts";
import { dueTask, type ProcessDefinition, RECOVERY_GRACE } from "./process.ts";
import { execute, faultPoint, readState, type Saga } from "./saga.ts";

/** A redemption that waits for its booking. */
export interface OpenRedemption {
  readonly accountId: string;
  readonly redemptionId: string;
  readonly bookingId: string;
}

const finishRedemptionTask = dueTask({
  kind: "finish_redemption",
  ofRequest: true,
  openedBy: {
    PointsSetAside: ({ at, data: { accountId, redemptionId, bookingId } }) => ({
      accountId,
      redemptionId,
      bookingId,
      dueAt: at + RECOVERY_GRACE,
    }),
  },
  closedBy: {
    PointsRedeemed: ({ data }) => data.redemptionId,
    PointsFreed: ({ data }) => data.redemptionId,
  },
  key: ({ redemptionId }) => redemptionId,
  run: (open) => finishRedemption(open),
});

/** The id of the adjustment is that of the booking: it comes once. */
const returnPoints = dueTask({
  kind: "return_points",
  openedBy: {
    BookingCancelled: ({ at, data: { pointsBackTo: accountId } }, bookingId) =>
      accountId === undefined ? undefined : { accountId, bookingId, dueAt: at },
  },
  closedBy: { PointsAdjusted: ({ data }) => data.adjustmentId },
  key: ({ bookingId }) => bookingId,
  *run({ accountId, bookingId }) {
    const undelivered = yield* readState("booking", bookingId, (booking) =>
      isExistingBooking(booking) ? booking.rewards.filter(isUndelivered).map(({ redemptionId }) => redemptionId) : [],
    );
    const points = yield* readState("loyalty", accountId, ({ redemptions }) =>
      sumOf(undelivered.map((redemptionId) => redemptions.get(redemptionId)?.points ?? 0)),
    );
    const reason = `Given back: booking ${bookingId} was cancelled in a disruption of its flight`;
    const adjustment = { accountId, adjustmentId: bookingId, points, reason };
    yield* execute("loyalty", accountId, { type: "AdjustPoints", ...adjustment });
    yield* faultPoint("points:returned");
  },
});

/**
 * Ends a redemption that was refused, or that a request left open. Closes the booking against it before the points are
 * freed. After that neither a slow nor a repeated request can get the reward. If the booking already has the reward,
 * the points are taken. Idempotent. `code`: the reason of the refusal.
 */
export function* finishRedemption(open: OpenRedemption, code = "redemption_given_up"): Saga<Redemption | undefined> {
  const { accountId, redemptionId, bookingId } = open;
  const closed = yield* execute("booking", bookingId, { type: "CloseRedemption", redemptionId }, (booking) =>
    findReward(booking, redemptionId),
  );
  yield* faultPoint("redeem:closed");
  if (closed.reply !== undefined) return yield* completeRedemption(open, closed.reply);
  const freed = yield* execute("loyalty", accountId, { type: "FreePoints", accountId, redemptionId, code }, (account) =>
    copyOfRedemption(account, redemptionId),
  );
  yield* faultPoint("redeem:freed");
  return freed.reply;
}

/** Takes the points of a granted reward, and banks the credit that the booking could not use. Idempotent. */
export function* completeRedemption(
  { accountId, redemptionId }: OpenRedemption,
  { reward, amount }: GrantedReward,
): Saga<Redemption | undefined> {
  const banked = reward === "booking_credit" ? BOOKING_CREDIT - amount : 0;
  const command = { type: "CompleteRedemption", accountId, redemptionId, banked } as const;
  const completed = yield* execute("loyalty", accountId, command, (account) => copyOfRedemption(account, redemptionId));
  yield* faultPoint("redeem:completed");
  return completed.reply;
}

/** A copy, because the state is only valid inside a reply. */
export function copyOfRedemption({ redemptions }: LoyaltyState, redemptionId: string): Redemption | undefined {
  const redemption = redemptions.get(redemptionId);
  return redemption && { ...redemption };
}

export const redeem = {
  name: "redeem",
  steps: "account sets points aside, flight reserves (an upgrade), booking decides, account posts `redeem`",
  undoneBy: "booking is closed against the redemption, then the points are freed; a cancelled flight gives them back",
  tasks: [finishRedemptionTask, returnPoints],
} as const satisfies ProcessDefinition;
