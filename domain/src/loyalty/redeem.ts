import { accept, assertNever, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { LoyaltyHandlers, LoyaltyRejectionCode } from "./commands.ts";
import type { LoyaltyEvent } from "./events.ts";
import { type LedgerTotals, pointsExpired, post } from "./ledger.ts";
import { afterDebt, allocateParts } from "./lots.ts";
import { BOOKING_CREDIT, CREDIT_CURRENCY, costOf, type Reward } from "./rules.ts";
import { creditIdOfClaim } from "./state.ts";

export const redemptionHandlers = {
  /** Redeems a reward that the account alone decides. A no-op for a repeated redemption. */
  RedeemPoints({ accountId, redemptionId, reward }, state, totals, at) {
    if (state.redemptions.has(redemptionId)) return accept();
    const short = rejectIfInsufficient(reward, totals);
    if (short !== undefined) return short;
    const banked = reward === "booking_credit" ? BOOKING_CREDIT : 0;
    totals.credit += banked;
    const parts = allocateParts(state.lots, costOf(reward), at);
    const posting = post(totals, -costOf(reward));
    return accept({
      type: "PointsRedeemed",
      at,
      data: { accountId, redemptionId, reward, bookingId: null, banked, parts, posting },
    });
  },

  /**
   * Reserves the points of a reward until the booking has decided, so that nothing else spends them. A freed redemption
   * stays freed.
   */
  SetPointsAside({ accountId, redemptionId, reward, bookingId }, state, totals, at) {
    const known = state.redemptions.get(redemptionId);
    if (known !== undefined) return known.status === "freed" ? reject("redemption_given_up") : accept();
    const short = rejectIfInsufficient(reward, totals);
    if (short !== undefined) return short;
    const points = costOf(reward);
    const parts = allocateParts(state.lots, points, at);
    return accept({ type: "PointsSetAside", at, data: { accountId, redemptionId, reward, bookingId, points, parts } });
  },

  /** The reward was given: deducts the points from the balance. */
  CompleteRedemption({ accountId, redemptionId, banked }, state, totals, at) {
    const redemption = state.redemptions.get(redemptionId);
    if (redemption === undefined) return reject("redemption_not_found");
    const { reward, bookingId, points, status } = redemption;
    switch (status) {
      case "completed":
        return accept();
      case "freed":
        return reject("redemption_given_up");
      case "set_aside": {
        totals.credit += banked;
        const posting = post(totals, -points, "set_aside");
        return accept({
          type: "PointsRedeemed",
          at,
          data: { accountId, redemptionId, reward, bookingId, banked, parts: [], posting },
        });
      }
      default:
        return assertNever(status);
    }
  },

  /**
   * Ends a refused redemption. The points pay off what is owed, return to their lots, and expire if their month has
   * ended meanwhile.
   */
  FreePoints({ accountId, redemptionId, code }, state, totals, at) {
    const redemption = state.redemptions.get(redemptionId);
    if (redemption === undefined) return reject("redemption_not_found");
    if (redemption.status !== "set_aside") return accept();
    const { parts } = redemption;
    totals.spendable += redemption.points;
    const late = new Map<Instant, number>();
    for (const { expiresAt, points } of afterDebt(state.debt, parts)) {
      if (expiresAt <= at) late.set(expiresAt, (late.get(expiresAt) ?? 0) + points);
    }
    return accept<LoyaltyEvent>(
      { type: "PointsFreed", at, data: { accountId, redemptionId, code, parts } },
      ...Array.from(late, ([expiresAt, points]) => pointsExpired(totals, expiresAt, points, at)),
    );
  },

  /**
   * Claims at most `maxAmount` of the banked credit for a booking in its currency, but nothing while points are owed. A
   * booking claims once, even if it returned the claim.
   */
  ClaimCredit({ accountId, bookingId, maxAmount, currency }, state, totals, at) {
    const amount = totals.spendable < 0 ? 0 : Math.min(totals.credit, maxAmount);
    if (currency !== CREDIT_CURRENCY || state.claims.has(bookingId) || amount <= 0) return accept();
    totals.credit -= amount;
    return accept({ type: "CreditClaimed", at, data: { accountId, bookingId, amount } });
  },

  /** Returns the claim of a booking that can no longer be created. */
  ReturnClaim({ accountId, bookingId }, state, totals, at) {
    const amount = state.claims.get(bookingId) ?? 0;
    if (amount === 0) return accept();
    totals.credit += amount;
    return accept({
      type: "CreditReturned",
      at,
      data: { accountId, creditId: creditIdOfClaim(bookingId), bookingId, amount },
    });
  },

  /** Returns the credit that a booking gave up. */
  ReturnCredit({ accountId, creditId, bookingId, amount }, state, totals, at) {
    if (state.creditsReturned.has(creditId)) return accept();
    totals.credit += amount;
    return accept({ type: "CreditReturned", at, data: { accountId, creditId, bookingId, amount } });
  },
} satisfies Partial<LoyaltyHandlers>;

function rejectIfInsufficient(
  reward: Reward,
  { spendable }: LedgerTotals,
): Decision<never, LoyaltyRejectionCode> | undefined {
  const points = costOf(reward);
  return spendable < points ? reject("not_enough_points", { points, spendable }) : undefined;
}
