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

/** The points of an account as its read model stores them. */
export interface LoyaltySummary {
  readonly accountId: string;
  readonly openedAt: Instant;
  readonly pointsBalance: number;
  readonly pointsPending: number;
  readonly lifetimePoints: number;
  /** Spendable points by expiry, the earliest first; months without points have no entry. */
  readonly expiring: readonly (readonly [expiresAt: Instant, points: number])[];
  /** Points that the account owes. */
  readonly debt: number;
}

export function loyaltyAccountBody(summary: LoyaltySummary): LoyaltyAccountBody {
  const { accountId, openedAt, pointsBalance, pointsPending, lifetimePoints, expiring } = summary;
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

/** @throws Error the redemption is not completed. */
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
