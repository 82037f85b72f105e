import { accept, type Decision, type Instant } from "../shared/decision.ts";
import type { ClaimCredit, ReturnClaim, ReturnCredit } from "./commands.ts";
import type { CreditClaimed, CreditReturned } from "./events.ts";
import { creditIdOfClaim, type LoyaltyState } from "./state.ts";

/** As much of the bank as a booking has use for. A booking claims once; what was put back is not claimed again. */
export function claimCredit(
  { accountId, bookingId, maxAmount }: ClaimCredit,
  state: LoyaltyState,
  at: Instant,
): Decision<CreditClaimed, never> {
  const amount = Math.min(state.credit, maxAmount);
  if (state.claims.has(bookingId) || amount <= 0) return accept();
  return accept({ type: "CreditClaimed", at, data: { accountId, bookingId, amount } });
}

/** For a booking that can't come into being any more. */
export function returnClaim(
  { accountId, bookingId }: ReturnClaim,
  state: LoyaltyState,
  at: Instant,
): Decision<CreditReturned, never> {
  const amount = state.claims.get(bookingId) ?? 0;
  if (amount === 0) return accept();
  return accept({
    type: "CreditReturned",
    at,
    data: { accountId, creditId: creditIdOfClaim(bookingId), bookingId, amount },
  });
}

/** For a booking that gave its credit up. */
export function returnCredit(
  { accountId, creditId, bookingId, amount }: ReturnCredit,
  state: LoyaltyState,
  at: Instant,
): Decision<CreditReturned, never> {
  if (state.creditsReturned.has(creditId)) return accept();
  return accept({ type: "CreditReturned", at, data: { accountId, creditId, bookingId, amount } });
}
