import type { Command, Decision, Handlers, Instant } from "../shared/decision.ts";
import type {
  AccountReference,
  CreditClaimed,
  CreditReturned,
  LoyaltyEvent,
  PointsAdjusted,
  PointsEarned,
  PointsFreed,
  PointsRedeemed,
  PointsSetAside,
} from "./events.ts";
import type { LedgerTotals } from "./ledger.ts";
import type { LoyaltyState } from "./state.ts";

/**
 * The points that a departed booking earns, from its own stream: `points` for `amount`. The first command earns the
 * points; later ones reverse points if they are fewer. Outdated ones are a no-op.
 */
export type PostBooking = Command<
  "PostBooking",
  Pick<PointsEarned["data"], "accountId" | "bookingId" | "amount" | "pending" | "refundIds"> & {
    readonly departsAt: Instant;
    readonly points: number;
  }
>;

/** `points` are not 0. */
type AdjustPoints = Command<
  "AdjustPoints",
  Pick<PointsAdjusted["data"], "accountId" | "adjustmentId" | "reason"> & { readonly points: number }
>;

/** Only records due expiries. Sent by timers. */
type ExpirePoints = Command<"ExpirePoints", AccountReference>;

/** Redeems a reward that needs no decision of a booking. */
type RedeemPoints = Command<"RedeemPoints", Pick<PointsRedeemed["data"], "accountId" | "redemptionId" | "reward">>;

/** Reserves the points of a reward until its booking has decided. */
type SetPointsAside = Command<"SetPointsAside", Omit<PointsSetAside["data"], "points" | "parts">>;

/** `banked`: cents of credit that the booking could not use. */
type CompleteRedemption = Command<
  "CompleteRedemption",
  Pick<PointsRedeemed["data"], "accountId" | "redemptionId" | "banked">
>;

/** `code`: the reason why the reward was refused. */
type FreePoints = Command<"FreePoints", Omit<PointsFreed["data"], "parts">>;

/** Claims at most `maxAmount` cents of banked credit for a booking about to be created. A no-op in another currency. */
type ClaimCredit = Command<
  "ClaimCredit",
  Omit<CreditClaimed["data"], "amount"> & { readonly maxAmount: number; readonly currency: string }
>;

/** Returns the claimed credit of a booking that was never created. */
type ReturnClaim = Command<"ReturnClaim", Omit<CreditClaimed["data"], "amount">>;

/** Returns credit that a booking no longer uses. `amount`: cents. */
type ReturnCredit = Command<"ReturnCredit", CreditReturned["data"]>;

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

export type LoyaltyDecision = Decision<LoyaltyEvent, LoyaltyRejectionCode>;

/** Decides each command, with the totals after the due expiries. */
export type LoyaltyHandlers = Handlers<
  LoyaltyCommand,
  [state: LoyaltyState, totals: LedgerTotals, at: Instant],
  LoyaltyDecision
>;
