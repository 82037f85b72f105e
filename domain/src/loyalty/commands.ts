import type { Instant } from "../shared/decision.ts";
import type { Reward } from "./rules.ts";

interface AccountReference {
  readonly accountId: string;
}

/**
 * What a departed booking earns, from its own stream. The first command earns the points; later ones reverse points if
 * they are fewer. Outdated ones are a no-op.
 */
export interface PostBooking extends AccountReference {
  readonly type: "PostBooking";
  readonly bookingId: string;
  readonly departsAt: Instant;
  /** Cents paid and not refunded. */
  readonly amount: number;
  /** Points for that amount. */
  readonly points: number;
  /** Points the booking has in `pointsPending`. */
  readonly pending: number;
  /** Refunds started after departure. */
  readonly refundIds: readonly string[];
}

export interface AdjustPoints extends AccountReference {
  readonly type: "AdjustPoints";
  readonly adjustmentId: string;
  /** Not 0. */
  readonly points: number;
  readonly reason: string;
}

/** Records due expiries, and does nothing else. Timers send it. */
export interface ExpirePoints extends AccountReference {
  readonly type: "ExpirePoints";
}

/** Redeems a reward that needs no decision of a booking. */
export interface RedeemPoints extends AccountReference {
  readonly type: "RedeemPoints";
  readonly redemptionId: string;
  readonly reward: Reward;
}

/** Reserves the points of a reward until its booking has decided. */
export interface SetPointsAside extends AccountReference {
  readonly type: "SetPointsAside";
  readonly redemptionId: string;
  readonly reward: Reward;
  readonly bookingId: string;
}

export interface CompleteRedemption extends AccountReference {
  readonly type: "CompleteRedemption";
  readonly redemptionId: string;
  /** Cents of credit that the booking could not use. */
  readonly banked: number;
}

export interface FreePoints extends AccountReference {
  readonly type: "FreePoints";
  readonly redemptionId: string;
  /** Why the reward was refused. */
  readonly code: string;
}

/** Claims at most `maxAmount` cents of banked credit for a booking about to be created. In another currency: a no-op. */
export interface ClaimCredit extends AccountReference {
  readonly type: "ClaimCredit";
  readonly bookingId: string;
  readonly maxAmount: number;
  readonly currency: string;
}

/** Returns the claimed credit of a booking that was never created. */
export interface ReturnClaim extends AccountReference {
  readonly type: "ReturnClaim";
  readonly bookingId: string;
}

/** Returns credit that a booking no longer uses. */
export interface ReturnCredit extends AccountReference {
  readonly type: "ReturnCredit";
  readonly creditId: string;
  readonly bookingId: string;
  /** Cents. */
  readonly amount: number;
}

export type LoyaltyCommand =
  | PostBooking
  | AdjustPoints
  | ExpirePoints
  | RedeemPoints
  | SetPointsAside
  | CompleteRedemption
  | FreePoints
  | ClaimCredit
  | ReturnClaim
  | ReturnCredit;

/** The reasons for which a loyalty account refuses a command. */
export type LoyaltyRejectionCode =
  | "not_enough_points"
  /** The redemption was already closed, or its reward already refused. */
  | "redemption_given_up"
  | "redemption_not_found"
  /** The request names no booking for the reward. */
  | "reward_needs_booking"
  | "adjustment_invalid";
