import {
  type CreditTakenBack,
  type LotPart,
  type LoyaltyEvent,
  loyaltyDecider,
  type PointsAdjusted,
  type PointsEarned,
  type PointsRedeemed,
  type PointsSetAside,
  type PostBooking,
  type Reward,
} from "../../src/index.ts";
import { specification } from "../shared/specification.ts";

export const given = specification(loyaltyDecider);

export const ACCOUNT = "acc_0123";
export const T0 = Date.parse("2027-01-15T10:00:00Z");
/** When points earned at `T0` expire. */
export const MONTH_END = Date.parse("2029-02-01T00:00:00Z");
export const NEXT_MONTH_END = Date.parse("2029-03-01T00:00:00Z");

/** The n-th posting. */
export const transaction = (number: number) => `ltx_0123${number.toString(16).padStart(8, "0")}`;

export function post(changes: Partial<PostBooking> = {}): PostBooking {
  return {
    type: "PostBooking",
    accountId: ACCOUNT,
    bookingId: "bkg_1",
    departsAt: T0,
    amount: 1_000_000,
    points: Math.floor((changes.amount ?? 1_000_000) / 100),
    pending: 10_000,
    refundIds: [],
    ...changes,
  };
}

export function earned(at: number, changes: Partial<PointsEarned["data"]> = {}): PointsEarned {
  return {
    type: "PointsEarned",
    at,
    data: {
      accountId: ACCOUNT,
      bookingId: "bkg_1",
      amount: 1_000_000,
      pending: 10_000,
      expiresAt: MONTH_END,
      lifetimeAfter: 10_000,
      refundIds: [],
      posting: { id: transaction(1), points: 10_000, balanceAfter: 10_000 },
      ...changes,
    },
  };
}

export function adjusted(at: number, points: number, number: number, balanceAfter: number): PointsAdjusted {
  const expiresAt = at < T0 + 17 * 24 * 3_600_000 ? MONTH_END : NEXT_MONTH_END;
  return {
    type: "PointsAdjusted",
    at,
    data: {
      accountId: ACCOUNT,
      adjustmentId: `adj_${number}`,
      reason: "a gift",
      expiresAt,
      parts: [],
      posting: { id: transaction(number), points, balanceAfter },
    },
  };
}

export const part = (bookingId: string | null, expiresAt: number, points: number): LotPart => ({
  bookingId,
  expiresAt,
  points,
});

export function setAside(
  at: number,
  reward: Reward,
  points: number,
  parts: readonly LotPart[],
  redemptionId = "red_1",
): PointsSetAside {
  return {
    type: "PointsSetAside",
    at,
    data: { accountId: ACCOUNT, redemptionId, reward, bookingId: "bkg_9", points, parts },
  };
}

export function redeemed(at: number, changes: Partial<PointsRedeemed["data"]>): PointsRedeemed {
  return {
    type: "PointsRedeemed",
    at,
    data: {
      accountId: ACCOUNT,
      redemptionId: "red_1",
      reward: "extra_baggage",
      bookingId: "bkg_9",
      banked: 0,
      parts: [],
      posting: { id: transaction(2), points: -8_000, balanceAfter: 2_000 },
      ...changes,
    },
  };
}

export function takenBack(at: number, amount: number, number: number, balanceAfter: number): CreditTakenBack {
  const posting = { id: transaction(number), points: amount, balanceAfter };
  return { type: "CreditTakenBack", at, data: { accountId: ACCOUNT, amount, posting } };
}

export const ofAccount = { accountId: ACCOUNT } as const;

export type History = readonly LoyaltyEvent[];
