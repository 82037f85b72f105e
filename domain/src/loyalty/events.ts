import type { DomainEvent, Instant } from "../shared/decision.ts";
import type { LotPart } from "./lots.ts";
import type { Reward } from "./rules.ts";

/** One line of the account's books. The balance is the sum of them all. */
export interface Posting {
  readonly id: string;
  /** Positive adds, negative takes; never 0. */
  readonly points: number;
  readonly balanceAfter: number;
}

/** What every event of the stream carries. */
interface AccountReference {
  readonly accountId: string;
}

/**
 * The flight of a paid booking has departed: its points can be spent. `expiresAt`: from then on they can't any more.
 * `pending`: what the booking had in `pointsPending`, which ends here. No posting where it earned less than one.
 */
export type PointsEarned = DomainEvent<
  "PointsEarned",
  AccountReference & {
    readonly bookingId: string;
    /** Cents paid and not given back. */
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
 * Money of a flown booking was given back. The points come from the booking's own, then from the oldest; no posting
 * where there were none left.
 */
export type PointsReversed = DomainEvent<
  "PointsReversed",
  AccountReference & {
    readonly bookingId: string;
    /** Cents still paid. */
    readonly amount: number;
    readonly lifetimeAfter: number;
    readonly refundIds: readonly string[];
    /** Where the points were. */
    readonly parts: readonly LotPart[];
    readonly posting: Posting | null;
  }
>;

/** An operator's correction. What is added expires as if it had been earned now. */
export type PointsAdjusted = DomainEvent<
  "PointsAdjusted",
  AccountReference & {
    readonly adjustmentId: string;
    readonly reason: string;
    /** Null where points are deducted. */
    readonly expiresAt: Instant | null;
    /** The lots the deducted points came from. */
    readonly parts: readonly LotPart[];
    readonly posting: Posting;
  }
>;

/** A month has ended: the points left of those that expire with it are gone. */
export type PointsExpired = DomainEvent<
  "PointsExpired",
  AccountReference & { readonly expiresAt: Instant; readonly posting: Posting | null }
>;

/** Points are reserved for a reward until the booking or flight has decided. They still count in the balance. */
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
    /** Where the points were; none where they had been set aside. */
    readonly parts: readonly LotPart[];
    readonly posting: Posting;
  }
>;

/** The reward was refused: the points are back where they were. `code`: why. */
export type PointsFreed = DomainEvent<
  "PointsFreed",
  AccountReference & { readonly redemptionId: string; readonly code: string; readonly parts: readonly LotPart[] }
>;

/** A new booking claims banked credit. */
export type CreditClaimed = DomainEvent<
  "CreditClaimed",
  AccountReference & { readonly bookingId: string; readonly amount: number }
>;

/** Credit returns to the banked credit. The same `creditId` counts once. */
export type CreditReturned = DomainEvent<
  "CreditReturned",
  AccountReference & { readonly creditId: string; readonly bookingId: string; readonly amount: number }
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
  | CreditReturned;
