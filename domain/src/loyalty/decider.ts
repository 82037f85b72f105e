import { accept, assertNever, type Decider, type Decision, type Instant } from "../shared/decision.ts";
import type { LoyaltyCommand, LoyaltyRejectionCode } from "./commands.ts";
import { adjustPoints, postBooking } from "./earn.ts";
import type { LoyaltyEvent } from "./events.ts";
import { expireDuePoints, type LedgerTotals, takeBackCredit } from "./ledger.ts";
import {
  claimCredit,
  completeRedemption,
  freePoints,
  redeemPoints,
  returnClaim,
  returnCredit,
  setPointsAside,
} from "./redeem.ts";
import { copyLoyalty, emptyLoyalty, evolveLoyalty, type LoyaltyState } from "./state.ts";

/**
 * Decides on the points and the banked credit of one account, in one stream, so that nothing is spent twice. It records
 * due expiries before it decides any command. After it, unused credit pays what the account owes, wherever either comes
 * from: no account has both.
 */
export const loyaltyDecider: Decider<LoyaltyCommand, LoyaltyState, LoyaltyEvent, LoyaltyRejectionCode> = {
  initialState: emptyLoyalty,
  decide(command, state, at) {
    const { lapsed, totals } = expireDuePoints(state, command.accountId, at);
    const decision = decideWith(command, state, totals, at);
    const paidOff = takeBackCredit(totals, -totals.spendable, at);
    if (lapsed.length === 0 && paidOff.length === 0) return decision;
    return { ...decision, events: [...lapsed, ...decision.events, ...paidOff] };
  },
  evolve: evolveLoyalty,
  copy: copyLoyalty,
  snapshotVersion: 2,
};

function decideWith(
  command: LoyaltyCommand,
  state: LoyaltyState,
  totals: LedgerTotals,
  at: Instant,
): Decision<LoyaltyEvent, LoyaltyRejectionCode> {
  switch (command.type) {
    case "PostBooking":
      return postBooking(command, state, totals, at);
    case "AdjustPoints":
      return adjustPoints(command, state, totals, at);
    case "ExpirePoints":
      return accept();
    case "RedeemPoints":
      return redeemPoints(command, state, totals, at);
    case "SetPointsAside":
      return setPointsAside(command, state, totals, at);
    case "CompleteRedemption":
      return completeRedemption(command, state, totals, at);
    case "FreePoints":
      return freePoints(command, state, totals, at);
    case "ClaimCredit":
      return claimCredit(command, state, totals, at);
    case "ReturnClaim":
      return returnClaim(command, state, totals, at);
    case "ReturnCredit":
      return returnCredit(command, state, totals, at);
    default:
      return assertNever(command);
  }
}
