import type { DomainEvent, Instant } from "../shared/decision.ts";
import type { LotPart } from "./lots.ts";
import type { Reward } from "./rules.ts";

/** One entry in the account's ledger. The balance is the sum of all entries. */
export interface Posting {
  readonly id: string;
  /** Positive adds, negative deducts; never 0. */
  readonly points: number;
  readonly balanceAfter: number;
}

/** Fields of every event of the stream. */
export interface AccountReference {
  readonly accountId: string;
}

/**
 * The flight of a paid booking has departed: its points are spendable until `expiresAt`. `pending`: the booking's
 * points in `pointsPending`, which this event ends. No posting if the booking earned less than one point.
 */
export type PointsEarned = DomainEvent<
  "PointsEarned",
  AccountReference & {
    readonly bookingId: string;
    /** Cents paid and not refunded. */
    readonly amount: number;
    readonly pending: number;
    readonly expiresAt: Instant;
    readonly lifetimeAfter: number;
    /** Refunds started after departure that `amount` already includes. */
    readonly refundIds: readonly string[];
    readonly posting: Posting | null;
  }
>;

/**
 * A refund for a flown booking. Deducts the booking's own points, then the oldest; the account owes the rest of the
 * posting, and unused credit pays it (`CreditTakenBack`). No posting if the refund costs less than a point.
 */
export type PointsReversed = DomainEvent<
  "PointsReversed",
  AccountReference & {
    readonly bookingId: string;
    /** Cents still paid. */
    readonly amount: number;
    readonly lifetimeAfter: number;
    readonly refundIds: readonly string[];
    /** The lots the points came from. */
    readonly parts: readonly LotPart[];
    readonly posting: Posting | null;
  }
>;

/** An operator's correction. Added points expire as if earned now. */
export type PointsAdjusted = DomainEvent<
  "PointsAdjusted",
  AccountReference & {
    readonly adjustmentId: string;
    readonly reason: string;
    /** Null if points are deducted. */
    readonly expiresAt: Instant | null;
    /** The lots the deducted points came from. */
    readonly parts: readonly LotPart[];
    readonly posting: Posting;
  }
>;

/** A month has ended: its remaining points have expired. */
export type PointsExpired = DomainEvent<
  "PointsExpired",
  AccountReference & { readonly expiresAt: Instant; readonly posting: Posting | null }
>;

/** Reserves points for a reward until the booking or flight has decided. They still count in the balance. */
export type PointsSetAside = DomainEvent<
  "PointsSetAside",
  AccountReference & {
    readonly redemptionId: string;
    readonly reward: Reward;
    readonly bookingId: string;
    readonly points: number;
    readonly parts: readonly LotPart[];
  }
>;

/** The reward was granted and its points deducted. `banked`: cents of credit for the next booking. */
export type PointsRedeemed = DomainEvent<
  "PointsRedeemed",
  AccountReference & {
    readonly redemptionId: string;
    readonly reward: Reward;
    readonly bookingId: string | null;
    readonly banked: number;
    /** The lots the points came from; empty if the points were set aside before. */
    readonly parts: readonly LotPart[];
    readonly posting: Posting;
  }
>;

/** The reward was refused, and the points are back in their lots. `code`: the reason. */
export type PointsFreed = DomainEvent<
  "PointsFreed",
  AccountReference & { readonly redemptionId: string; readonly code: string; readonly parts: readonly LotPart[] }
>;

/** A new booking claims banked credit. */
export type CreditClaimed = DomainEvent<
  "CreditClaimed",
  AccountReference & { readonly bookingId: string; readonly amount: number }
>;

/** Returns credit to the banked credit. The same `creditId` counts once. */
export type CreditReturned = DomainEvent<
  "CreditReturned",
  AccountReference & { readonly creditId: string; readonly bookingId: string; readonly amount: number }
>;

/**
 * Unused credit is exchanged for the points it cost, which pay what is owed (docs/rules.md#points-after-departure).
 * `amount`: cents.
 */
export type CreditTakenBack = DomainEvent<
  "CreditTakenBack",
  AccountReference & { readonly amount: number; readonly posting: Posting }
>;

export type LoyaltyEvent =
  | PointsEarned
  | PointsReversed
  | PointsAdjusted
  | PointsExpired
  | PointsSetAside
  | PointsRedeemed
  | PointsFreed
  | CreditClaimed
  | CreditReturned
  | CreditTakenBack;
