import type { Instant } from "../shared/decision.ts";
import type { CreditTakenBack, PointsExpired, Posting } from "./events.ts";
import { expiringByMonth } from "./lots.ts";
import { CENTS_PER_POINT } from "./rules.ts";
import type { LoyaltyState } from "./state.ts";

const DIGITS = 8;

/**
 * Running totals of a decision, updated with each posting and each movement of credit. A copy of the whole state would
 * cost as much as the account's history.
 */
export interface LedgerTotals {
  readonly accountId: string;
  balance: number;
  /** The balance without the points set aside; negative while points are owed. */
  spendable: number;
  postings: number;
  /** Unused credit, in cents. */
  credit: number;
}

/** Unrecorded expiries up to `at`, and the totals after them. */
export function expireDuePoints(
  state: LoyaltyState,
  accountId: string,
  at: Instant,
): { readonly lapsed: readonly PointsExpired[]; readonly totals: LedgerTotals } {
  const { balance, postings, lots, debt, credit } = state;
  const totals: LedgerTotals = { accountId, balance, postings, spendable: lots.left - debt, credit };
  const lapsed = expiringByMonth(state.lots, at).map(([expiresAt, points]) =>
    pointsExpired(totals, expiresAt, points, at),
  );
  return { lapsed, totals };
}

/** Expires the remaining points of a month. */
export function pointsExpired(totals: LedgerTotals, expiresAt: Instant, points: number, at: Instant): PointsExpired {
  return {
    type: "PointsExpired",
    at,
    data: { accountId: totals.accountId, expiresAt, posting: postUnlessZero(totals, -points) },
  };
}

/** Takes unused credit back for at most so many owed points. Nothing happens without credit or debt. */
export function takeBackCredit(totals: LedgerTotals, points: number, at: Instant): readonly CreditTakenBack[] {
  const bought = Math.min(points, Math.floor(totals.credit / CENTS_PER_POINT));
  if (bought <= 0) return [];
  const amount = bought * CENTS_PER_POINT;
  totals.credit -= amount;
  const { accountId } = totals;
  return [{ type: "CreditTakenBack", at, data: { accountId, amount, posting: post(totals, bought) } }];
}

export function postUnlessZero(totals: LedgerTotals, points: number): Posting | null {
  return points === 0 ? null : post(totals, points);
}

/** The next posting. Points set aside reduce only the balance, because they were not spendable before. */
export function post(totals: LedgerTotals, points: number, from: "spendable" | "set_aside" = "spendable"): Posting {
  totals.postings += 1;
  totals.balance += points;
  if (from === "spendable") totals.spendable += points;
  return { id: transactionIdOf(totals.accountId, totals.postings), points, balanceAfter: totals.balance };
}

/** The n-th posting of an account. */
function transactionIdOf(accountId: string, number: number): string {
  return `ltx_${idSuffix(accountId)}${number.toString(16).padStart(DIGITS, "0")}`;
}

/** The loyalty account's own id. */
export function loyaltyAccountIdOf(accountId: string): string {
  return `loy_${idSuffix(accountId)}`;
}

function idSuffix(accountId: string): string {
  return accountId.slice(accountId.indexOf("_") + 1);
}
