import type { Operation } from "../operation.ts";
import {
  createRedemptionSchema,
  loyaltyAccountSchema,
  loyaltyTransactionQuerySchema,
  loyaltyTransactionSchema,
  redemptionSchema,
} from "../resources/loyalty.ts";
import { listOf } from "../resources/page.ts";

export const getLoyaltyAccountOperation = {
  id: "getLoyaltyAccount",
  method: "GET",
  path: "/v1/loyalty/account",
  service: "query",
  tag: "Loyalty",
  summary: "Get the account's points and tier",
  description:
    "Every account has one from its opening on. A whole dollar that is paid is worth a point, which is pending until the flight departs and can be spent from then on; it expires at the end of the month it is 24 months old in.",
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
} as const satisfies Operation;

export const createRedemptionOperation = {
  id: "createRedemption",
  method: "POST",
  path: "/v1/loyalty/redemptions",
  service: "command",
  tag: "Loyalty",
  summary: "Redeem points for a reward",
  description:
    "A `cabin_upgrade` (40,000 points) moves a booking to the next higher cabin of its flight at no charge, where seats are chosen anew. `booking_credit` (10,000) is worth $100: it lowers the total of the pending booking that is named, and what is left, or all of it without one, that of the next booking made. `extra_baggage` (8,000) and `lounge_access` (5,000) show in the booking's history.",
  scope: "loyalty:write",
  body: createRedemptionSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: redemptionSchema },
  errors: {
    404: "There is no booking with this id.",
    409: "There are not enough points, no seats are left in the next cabin or there is none, the booking is cancelled or, for credit, already paid, or the flight has departed.",
    422: "The reward needs a bookingId, or the Idempotency-Key was already used with a different request.",
  },
} as const satisfies Operation;
