import type { Instant } from "../shared/decision.ts";
import type { Reward } from "./rules.ts";

interface AccountReference {
  readonly accountId: string;
}

/**
 * What a booking whose flight has departed is worth, as its own stream says. The first time its points are earned;
 * from then on less money takes points back. Older news than what is known changes nothing.
 */
export interface PostBooking extends AccountReference {
  readonly type: "PostBooking";
  readonly bookingId: string;
  readonly departsAt: Instant;
  /** Cents paid and not given back. */
  readonly amount: number;
  /** Points the booking has in `pointsPending`. */
  readonly pending: number;
  /** The refunds begun after departure. */
  readonly refundIds: readonly string[];
}

export interface AdjustPoints extends AccountReference {
  readonly type: "AdjustPoints";
  readonly adjustmentId: string;
  /** Not 0. */
  readonly points: number;
  readonly reason: string;
}

/** A timer's command: records what has expired, nothing else. */
export interface ExpirePoints extends AccountReference {
  readonly type: "ExpirePoints";
}

/** A reward that no booking has a say in: given at once. */
export interface RedeemPoints extends AccountReference {
  readonly type: "RedeemPoints";
  readonly redemptionId: string;
  readonly reward: Reward;
}

/** Keeps the points of a reward for a booking until that has decided. */
export interface SetPointsAside extends AccountReference {
  readonly type: "SetPointsAside";
  readonly redemptionId: string;
  readonly reward: Reward;
  readonly bookingId: string;
}

export interface CompleteRedemption extends AccountReference {
  readonly type: "CompleteRedemption";
  readonly redemptionId: string;
  /** Cents of credit the booking had no use for. */
  readonly banked: number;
}

export interface FreePoints extends AccountReference {
  readonly type: "FreePoints";
  readonly redemptionId: string;
  /** Why the reward was refused. */
  readonly code: string;
}

/** Takes banked credit for a booking about to be created: at most `most` cents. */
export interface ClaimCredit extends AccountReference {
  readonly type: "ClaimCredit";
  readonly bookingId: string;
  readonly maxAmount: number;
}

/** Puts back what was claimed for a booking that never came into being. */
export interface ReturnClaim extends AccountReference {
  readonly type: "ReturnClaim";
  readonly bookingId: string;
}

/** Puts back credit a booking has given up. */
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

/** Why a loyalty account refuses a command. */
export type LoyaltyRejectionCode =
  | "not_enough_points"
  /** This attempt to redeem was given up, or refused, before. */
  | "redemption_given_up"
  | "redemption_not_found"
  /** No booking was named to give the reward to. */
  | "reward_needs_booking"
  | "adjustment_invalid";
