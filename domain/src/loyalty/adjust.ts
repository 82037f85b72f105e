import { accept, type Decision, type Instant, reject } from "../shared/decision.ts";
import type { AdjustPoints } from "./commands.ts";
import type { PointsAdjusted } from "./events.ts";
import { type LedgerTotals, post } from "./ledger.ts";
import { allocateParts } from "./lots.ts";
import { pointsExpireAt } from "./points.ts";
import type { LoyaltyRejectionCode } from "./rejections.ts";
import type { LoyaltyState } from "./state.ts";

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
