import {
  type Instant,
  lastSpendableDay,
  loyaltyAccountIdOf,
  memberNumberOf,
  type Redemption,
  tierOf,
  tierProgressOf,
} from "@travel-booking/domain";
import type { LoyaltyAccountBody, RedemptionBody } from "../resources/loyalty.ts";
import { timestamp } from "./timestamp.ts";

/** The points of an account as its read model keeps them. */
export interface LoyaltySummary {
  readonly accountId: string;
  readonly openedAt: Instant;
  readonly pointsBalance: number;
  readonly pointsPending: number;
  readonly lifetimePoints: number;
  /** What can be spent until then, the first to expire first; months with nothing left have no entry. */
  readonly expiring: readonly (readonly [expiresAt: Instant, points: number])[];
}

/** A loyalty account as the public interface shows it. */
export function loyaltyAccountBody(figures: LoyaltySummary): LoyaltyAccountBody {
  const { accountId, openedAt, pointsBalance, pointsPending, lifetimePoints, expiring } = figures;
  const next = expiring[0];
  return {
    id: loyaltyAccountIdOf(accountId),
    memberNumber: memberNumberOf(accountId),
    memberSince: timestamp(openedAt).slice(0, "YYYY-MM-DD".length),
    tier: tierOf(lifetimePoints),
    pointsBalance,
    pointsPending,
    lifetimePoints,
    pointsExpireOn: next === undefined ? null : lastSpendableDay(next[0]),
    tierProgress: tierProgressOf(lifetimePoints),
  };
}

/**
 * A completed redemption as the public interface shows it.
 * @throws Error it is not completed.
 */
export function redemptionBody({ redemptionId, reward, bookingId, points, posted }: Redemption): RedemptionBody {
  if (posted === null) throw new Error(`redemption ${redemptionId} is not completed`);
  return {
    id: redemptionId,
    reward,
    bookingId,
    points,
    status: "completed",
    transactionId: posted.transactionId,
    createdAt: timestamp(posted.at),
  };
}
