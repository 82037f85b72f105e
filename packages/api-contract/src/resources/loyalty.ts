import { REWARDS, TIERS } from "@travel-booking/domain";
import { z } from "zod";
import { date, identifier, outputId, outputText, utcDateTime, wholeNumber } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { listOf, pageParameters } from "./page.ts";

const TRANSACTION_TYPES = ["earn", "redeem", "expire", "adjust"] as const;
const REDEMPTION_STATUSES = ["completed"] as const;

const tier = z.enum(TIERS).meta({ id: "Tier", description: "A tier, from the lowest to the highest." });
const transactionType = z
  .enum(TRANSACTION_TYPES)
  .meta({ id: "LoyaltyTransactionType", description: "What makes points move." });
const reward = z.enum(REWARDS).meta({ id: "Reward", description: "What points can be spent on." });

const points = wholeNumber.min(0);

const tierProgressSchema = z
  .strictObject({
    nextTier: tier.nullable().describe("The next tier; null at the highest."),
    pointsToNextTier: points.nullable().describe("Lifetime points that are missing for it; null at the highest."),
    percent: wholeNumber
      .min(0)
      .max(100)
      .describe("How much of the way to it is behind the account; 100 at the highest."),
  })
  .meta({ id: "TierProgress", description: "How far it is to the next tier." });

const loyaltyAccountSchema = z
  .strictObject({
    id: outputId.describe("Identifies the loyalty account."),
    memberNumber: outputText(16).describe("What is printed on boarding passes; its last character checks the others."),
    memberSince: date.describe("The day the account was opened."),
    tier: tier.describe("The current tier, from lifetime points."),
    pointsBalance: wholeNumber.describe(
      "What the account has: the sum of its transactions. Below zero after a refund that took back points already spent; nothing can be redeemed then.",
    ),
    pointsPending: points.describe("From flights not yet flown; spendable after departure."),
    lifetimePoints: points.describe("All points ever earned; sets the tier."),
    pointsExpireOn: date.nullable().describe("The last day of the points that expire next; null if none will."),
    tierProgress: tierProgressSchema,
  })
  .meta({ id: "LoyaltyAccount", description: "The points and tier of an account." });
export type LoyaltyAccountBody = z.infer<typeof loyaltyAccountSchema>;

const loyaltyTransactionSchema = z
  .strictObject({
    id: outputId.describe("Identifies the transaction."),
    type: transactionType.describe("Why points moved."),
    points: wholeNumber.describe("Positive adds, negative takes."),
    balanceAfter: wholeNumber.describe("The balance right after it; it may be below zero."),
    bookingId: outputId.nullable().describe("The booking it concerns, if any."),
    description: outputText(500).describe("For people."),
    createdAt: utcDateTime.describe("When it was posted."),
  })
  .meta({ id: "LoyaltyTransaction", description: "One movement of points." });
export type LoyaltyTransactionBody = z.infer<typeof loyaltyTransactionSchema>;

const loyaltyTransactionQuerySchema = z.strictObject({
  ...pageParameters,
  type: transactionType.describe("Only transactions of this type.").optional(),
});
export type LoyaltyTransactionQuery = z.infer<typeof loyaltyTransactionQuerySchema>;

const redemptionSchema = z
  .strictObject({
    id: outputId.describe("Identifies the redemption."),
    reward: reward.describe("What the points were spent on."),
    bookingId: outputId.nullable().describe("The booking it was given to, if any."),
    points: points.describe("How many were spent."),
    status: z.enum(REDEMPTION_STATUSES).meta({ id: "RedemptionStatus", description: "Redemptions complete at once." }),
    transactionId: outputId.describe("The transaction that took the points."),
    createdAt: utcDateTime.describe("When the points were taken."),
  })
  .meta({ id: "Redemption", description: "Points spent on a reward." });
export type RedemptionBody = z.infer<typeof redemptionSchema>;

/** Whether the reward needs a booking is checked later (422). */
export const createRedemptionSchema = z
  .strictObject({
    reward: reward.describe("What to spend points on."),
    bookingId: identifier.describe("Required for `cabin_upgrade` and `extra_baggage`.").optional(),
  })
  .meta({ id: "CreateRedemption", description: "A reward, and the booking it is for." });
export type RedemptionRequest = z.infer<typeof createRedemptionSchema>;

export const getLoyaltyAccountOperation = {
  id: "getLoyaltyAccount",
  method: "GET",
  path: "/v1/loyalty/account",
  service: "query",
  tag: "Loyalty",
  summary: "Get the account's points and tier",
  description:
    "Every account has one from its opening on. A whole dollar, euro or pound that is paid is worth a point, unless the operator has set other rates. Points are pending until the flight departs and can be spent from then on; they expire at the end of the month they are 24 months old in. A refund takes them back, even if they are spent: the balance is then below zero, and what is earned next fills it up.",
  scope: "loyalty:read",
  success: { status: 200, body: loyaltyAccountSchema },
} as const satisfies Operation;

export const listLoyaltyTransactionsOperation = {
  id: "listLoyaltyTransactions",
  method: "GET",
  path: "/v1/loyalty/transactions",
  service: "query",
  tag: "Loyalty",
  summary: "List loyalty transactions, newest first",
  description: "The balance is the sum of them all.",
  scope: "loyalty:read",
  query: loyaltyTransactionQuerySchema,
  success: { status: 200, body: listOf(loyaltyTransactionSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const createRedemptionOperation = {
  id: "createRedemption",
  method: "POST",
  path: "/v1/loyalty/redemptions",
  service: "command",
  tag: "Loyalty",
  summary: "Redeem points for a reward",
  description:
    "A `cabin_upgrade` (40,000 points) moves a booking to the next higher cabin of its flight at no charge, where seats are chosen anew. `booking_credit` (10,000) is worth $100: it lowers the total of the pending booking that is named, and what is left, or all of it without one, that of the next booking made, each in US dollars. `extra_baggage` (8,000) and `lounge_access` (5,000) show in the booking's history.",
  scope: "loyalty:write",
  body: createRedemptionSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: redemptionSchema },
  errors: {
    404: ["booking_not_found"],
    409: [
      "not_enough_points",
      "cabin_sold_out",
      "no_higher_cabin",
      "quota_exceeded",
      "booking_cancelled",
      "already_paid",
      "payment_pending",
      "flight_departed",
      "flight_cancelled",
      "sales_closed",
      "too_many_redemptions",
    ],
    422: ["reward_needs_booking", "credit_currency_mismatch"],
  },
} as const satisfies Operation;
