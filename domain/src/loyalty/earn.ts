import { accept, type Decision, type Instant } from "../shared/decision.ts";
import type { PostBooking } from "./commands.ts";
import type { PointsEarned, PointsReversed } from "./events.ts";
import { type LedgerTotals, postUnlessZero } from "./ledger.ts";
import { allocateParts, totalPoints } from "./lots.ts";
import { pointsExpireAt, pointsFor } from "./points.ts";
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
