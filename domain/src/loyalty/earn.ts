import { accept, reject } from "../shared/decision.ts";
import type { LoyaltyHandlers } from "./commands.ts";
import type { LoyaltyEvent } from "./events.ts";
import { post, postUnlessZero, takeBackCredit } from "./ledger.ts";
import { allocateParts } from "./lots.ts";
import { pointsExpireAt } from "./rules.ts";

export const earningHandlers = {
  /**
   * Earns the points of a booking whose flight has departed (docs/rules.md#points-after-departure). After departure the
   * points can only fall, so a higher number is outdated. Reversed points also reduce `lifetime`. They are taken from
   * unused credit first, then from points. The account owes what is already spent.
   */
  PostBooking(command, state, totals, at) {
    const { accountId, bookingId, departsAt, amount, points, pending, refundIds } = command;
    const known = state.bookings.get(bookingId);
    if (known === undefined) {
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
          posting: postUnlessZero(totals, points),
        },
      });
    }
    const fresh = refundIds.filter((refundId) => !state.refunds.has(refundId));
    if (fresh.length === 0) return accept();
    const difference = Math.max(0, known - points);
    const posting = postUnlessZero(totals, -difference);
    const credit = takeBackCredit(totals, difference, at);
    const bought = credit[0]?.data.posting.points ?? 0;
    const parts = allocateParts(state.lots, difference - bought, at, bookingId);
    const lifetimeAfter = state.lifetime - difference;
    return accept<LoyaltyEvent>(
      {
        type: "PointsReversed",
        at,
        data: { accountId, bookingId, amount, lifetimeAfter, refundIds: fresh, parts, posting },
      },
      ...credit,
    );
  },

  /**
   * Applies an operator's correction. It does not change lifetime points and never deducts more than the spendable
   * points.
   */
  AdjustPoints({ accountId, adjustmentId, points, reason }, state, totals, at) {
    if (state.adjustments.has(adjustmentId)) return accept();
    if (!Number.isSafeInteger(points) || points === 0) return reject("adjustment_invalid");
    if (points < 0 && totals.spendable + points < 0)
      return reject("not_enough_points", { points: -points, spendable: totals.spendable });
    const expiresAt = points > 0 ? pointsExpireAt(at) : null;
    const parts = allocateParts(state.lots, Math.max(0, -points), at);
    const posting = post(totals, points);
    return accept({ type: "PointsAdjusted", at, data: { accountId, adjustmentId, reason, expiresAt, parts, posting } });
  },
} satisfies Partial<LoyaltyHandlers>;
