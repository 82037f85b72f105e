import { REWARDS, TIERS } from "@travel-booking/domain";
import type { z } from "zod";
import { REDEMPTION_STATUSES, TRANSACTION_TYPES } from "../enumerations.ts";
import { wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { identifier, outputId, outputText } from "../fields/text.ts";
import { date, utcDateTime } from "../fields/time.ts";
import { pageParameters } from "./page.ts";

const points = wholeNumber.min(0);

const tierProgressSchema = strictObject({
  nextTier: oneOf(TIERS).nullable().describe("The next tier; null at the highest."),
  pointsToNextTier: points.nullable().describe("Lifetime points that are missing for it; null at the highest."),
  percent: wholeNumber.min(0).max(100).describe("How much of the way to it is behind the account; 100 at the highest."),
}).meta({ id: "TierProgress", description: "How far it is to the next tier." });

export const loyaltyAccountSchema = strictObject({
  id: outputId.describe("Identifies the loyalty account."),
  memberNumber: outputText(16).describe("What is printed on boarding passes; its last character checks the others."),
  memberSince: date.describe("The day the account was opened."),
  tier: oneOf(TIERS).describe("The current tier, from lifetime points."),
  pointsBalance: points.describe("What the account has: the sum of its transactions."),
  pointsPending: points.describe("From flights not yet flown; spendable after departure."),
  lifetimePoints: points.describe("All points ever earned; sets the tier."),
  pointsExpireOn: date.nullable().describe("The last day of the points that expire next; null if none will."),
  tierProgress: tierProgressSchema,
}).meta({ id: "LoyaltyAccount", description: "The points and tier of an account." });
export type LoyaltyAccountBody = z.infer<typeof loyaltyAccountSchema>;

export const loyaltyTransactionSchema = strictObject({
  id: outputId.describe("Identifies the transaction."),
  type: oneOf(TRANSACTION_TYPES).describe("Why points moved."),
  points: wholeNumber.describe("Positive adds, negative takes."),
  balanceAfter: points.describe("The balance right after it."),
  bookingId: outputId.nullable().describe("The booking it concerns, if any."),
  description: outputText(500).describe("For people."),
  createdAt: utcDateTime.describe("When it was posted."),
}).meta({ id: "LoyaltyTransaction", description: "One movement of points." });
export type LoyaltyTransactionBody = z.infer<typeof loyaltyTransactionSchema>;

export const loyaltyTransactionQuerySchema = strictObject({
  ...pageParameters,
  type: oneOf(TRANSACTION_TYPES).describe("Only transactions of this type.").optional(),
});
export type LoyaltyTransactionQuery = z.infer<typeof loyaltyTransactionQuerySchema>;

export const redemptionSchema = strictObject({
  id: outputId.describe("Identifies the redemption."),
  reward: oneOf(REWARDS).describe("What the points were spent on."),
  bookingId: outputId.nullable().describe("The booking it was given to, if any."),
  points: points.describe("How many were spent."),
  status: oneOf(REDEMPTION_STATUSES).describe("Redemptions complete at once."),
  transactionId: outputId.describe("The transaction that took the points."),
  createdAt: utcDateTime.describe("When the points were taken."),
}).meta({ id: "Redemption", description: "Points spent on a reward." });
export type RedemptionBody = z.infer<typeof redemptionSchema>;

/** Which rewards need a booking is no matter of form: without one they are refused with 422. */
export const createRedemptionSchema = strictObject({
  reward: oneOf(REWARDS).describe("What to spend points on."),
  bookingId: identifier.describe("Required for `cabin_upgrade` and `extra_baggage`.").optional(),
}).meta({ id: "CreateRedemption", description: "A reward, and the booking it is for." });
export type RedemptionRequest = z.infer<typeof createRedemptionSchema>;
