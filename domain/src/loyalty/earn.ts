import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { AdjustPoints, LoyaltyRejectionCode, PostBooking } from "./commands.ts";
import type { PointsAdjusted, PointsEarned, PointsReversed } from "./events.ts";
import { type LedgerTotals, post, postUnlessZero } from "./ledger.ts";
import { allocateParts, totalPoints } from "./lots.ts";
import { pointsExpireAt, pointsFor } from "./rules.ts";
import type { LoyaltyState } from "./state.ts";

/**
 * Points of a booking whose flight has departed (docs/rules.md#points-after-departure). Only ever less money counts after
 * that, so what says otherwise is older than what is known. The points it earned in the first place stay in `lifetime`
 * only as far as they still stand.
 */
export function postBooking(
  command: PostBooking,
  state: LoyaltyState,
  books: LedgerTotals,
  at: Instant,
): Decision<PointsEarned | PointsReversed, never> {
  const { accountId, bookingId, departsAt, amount, pending, refundIds } = command;
  const known = state.bookings.get(bookingId);
  if (known === undefined) {
    const points = pointsFor(amount);
    return accept({
      type: "PointsEarned",
      at,
      data: {
        accountId,
        bookingId,
        amount,
        pending,
        expiresAt: pointsExpireAt(departsAt),
        lifetimeAfter: state.lifetime + points,
        refundIds,
        posting: postUnlessZero(books, points),
      },
    });
  }
  const fresh = refundIds.filter((refundId) => !known.refundIds.has(refundId));
  if (fresh.length === 0) return accept();
  const counted = Math.min(amount, known.amount);
  const difference = pointsFor(known.amount) - pointsFor(counted);
  const parts = allocateParts(state.lots, difference, at, bookingId);
  return accept({
    type: "PointsReversed",
    at,
    data: {
      accountId,
      bookingId,
      amount: counted,
      lifetimeAfter: state.lifetime - difference,
      refundIds: fresh,
      parts,
      posting: postUnlessZero(books, -totalPoints(parts)),
    },
  });
}

/** An operator's correction: it leaves lifetime points alone, and never takes more than there is. */
export function adjustPoints(
  { accountId, adjustmentId, points, reason }: AdjustPoints,
  state: LoyaltyState,
  books: LedgerTotals,
  at: Instant,
): Decision<PointsAdjusted, LoyaltyRejectionCode> {
  if (state.adjustments.has(adjustmentId)) return accept();
  if (!Number.isSafeInteger(points) || points === 0) return reject("adjustment_invalid");
  if (books.spendable + points < 0) return reject("not_enough_points", { points: -points, spendable: books.spendable });
  const expiresAt = points > 0 ? pointsExpireAt(at) : null;
  const parts = allocateParts(state.lots, Math.max(0, -points), at);
  const posting = post(books, points);
  return accept({ type: "PointsAdjusted", at, data: { accountId, adjustmentId, reason, expiresAt, parts, posting } });
}
