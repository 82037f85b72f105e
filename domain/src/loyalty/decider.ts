import { accept, type Decider, handle } from "../shared/decision.ts";
import type { LoyaltyCommand, LoyaltyDecision, LoyaltyHandlers, LoyaltyRejectionCode } from "./commands.ts";
import { earningHandlers } from "./earn.ts";
import type { LoyaltyEvent } from "./events.ts";
import { expireDuePoints, takeBackCredit } from "./ledger.ts";
import { redemptionHandlers } from "./redeem.ts";
import { copyLoyalty, emptyLoyalty, evolveLoyalty, type LoyaltyState } from "./state.ts";

const HANDLERS: LoyaltyHandlers = { ...earningHandlers, ...redemptionHandlers, ExpirePoints: () => accept() };

/**
 * Decides on the points and the banked credit of one account, in one stream, so that nothing is spent twice. It records
 * due expiries before it decides a command. After each command, unused credit pays what the account owes, whatever
 * caused either. So no account has both credit and debt.
 */
export const loyaltyDecider: Decider<LoyaltyCommand, LoyaltyState, LoyaltyEvent, LoyaltyRejectionCode> = {
  initialState: emptyLoyalty,
  decide(command, state, at) {
    const { lapsed, totals } = expireDuePoints(state, command.accountId, at);
    const decision: LoyaltyDecision = handle(HANDLERS, command, state, totals, at);
    const paidOff = takeBackCredit(totals, -totals.spendable, at);
    if (lapsed.length === 0 && paidOff.length === 0) return decision;
    return { ...decision, events: [...lapsed, ...decision.events, ...paidOff] };
  },
  evolve: evolveLoyalty,
  copy: copyLoyalty,
  snapshotVersion: 2,
};
