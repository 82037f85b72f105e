import type { Instant } from "../shared/decision.ts";
import type { PointsExpired, Posting } from "./events.ts";
import { expiringByMonth } from "./lots.ts";
import type { LoyaltyState } from "./state.ts";

const DIGITS = 8;

/**
 * The figures a decision rests on, moved along as it adds postings: a copy of the whole state would cost as much as
 * has ever happened.
 */
export interface LedgerTotals {
  readonly accountId: string;
  balance: number;
  /** The balance without the points set aside. */
  spendable: number;
  postings: number;
}

/** Expiries by `at` that are not recorded yet, and the totals after them. */
export function expireDuePoints(
  state: LoyaltyState,
  accountId: string,
  at: Instant,
): { readonly lapsed: readonly PointsExpired[]; readonly books: LedgerTotals } {
  const { balance, postings } = state;
  const books: LedgerTotals = { accountId, balance, postings, spendable: state.lots.left };
  const lapsed = expiringByMonth(state.lots, at).map(([expiresAt, points]) =>
    pointsExpired(books, expiresAt, points, at),
  );
  return { lapsed, books };
}

/** The end of a month: `points` of it are left. */
export function pointsExpired(books: LedgerTotals, expiresAt: Instant, points: number, at: Instant): PointsExpired {
  return {
    type: "PointsExpired",
    at,
    data: { accountId: books.accountId, expiresAt, posting: postUnlessZero(books, -points) },
  };
}

/** The next line of the books, if it moves any points. Those that are set aside leave the balance without being spendable. */
export function postUnlessZero(
  books: LedgerTotals,
  points: number,
  from: "spendable" | "set_aside" = "spendable",
): Posting | null {
  return points === 0 ? null : post(books, points, from);
}

/** The next line of the books. */
export function post(books: LedgerTotals, points: number, from: "spendable" | "set_aside" = "spendable"): Posting {
  books.postings += 1;
  books.balance += points;
  if (from === "spendable") books.spendable += points;
  return { id: transactionIdOf(books.accountId, books.postings), points, balanceAfter: books.balance };
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
