import type { z } from "zod";
import type { BoardingPassesBody, BoardingPassKeysBody } from "../resources/boarding-pass.ts";
import type {
  createRedemptionSchema,
  LoyaltyAccountBody,
  LoyaltyTransactionBody,
  RedemptionBody,
} from "../resources/loyalty.ts";
import type { changePassengerSchema, createPassengerSchema, PassengerProfileBody } from "../resources/passenger.ts";
import type { TravelDocumentBody } from "../resources/travel-document.ts";
import { booking } from "./bookings.ts";

export const newPassenger: z.input<typeof createPassengerSchema> = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  dateOfBirth: "1990-12-10",
  nationality: "GB",
  passport: { number: "925665416", expiresOn: "2035-06-30", issuingCountry: "GB" },
  metadata: { crm: "A-1815" },
  preferences: { seat: "window", meal: "vegetarian", cryosleep: true },
};

export const passenger: PassengerProfileBody = {
  id: "psg_01JC8Q1A3C5E7G9J1M3P5R7T",
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  dateOfBirth: "1990-12-10",
  nationality: "GB",
  passport: { number: "925665416", expiresOn: "2035-06-30", issuingCountry: "GB" },
  loyaltyNumber: null,
  metadata: { crm: "A-1815" },
  preferences: { seat: "window", meal: "vegetarian", cryosleep: true },
  createdAt: "2026-11-02T09:00:00.000Z",
  updatedAt: "2026-11-02T09:00:00.000Z",
};

export const passengerChange: z.input<typeof changePassengerSchema> = {
  passport: null,
  metadata: { crm: "" },
  preferences: { meal: "vegan" },
};

export const changedPassenger: PassengerProfileBody = {
  ...passenger,
  passport: null,
  metadata: {},
  preferences: { ...passenger.preferences, meal: "vegan" },
  updatedAt: "2026-11-03T08:00:00.000Z",
};

export const verifiedPassport: TravelDocumentBody = {
  id: "doc_01JC8Q2B4D6F8H0K2N4Q6S8V",
  kind: "passport",
  fileName: "passport-lovelace.pdf",
  contentType: "application/pdf",
  sizeBytes: 182_044,
  status: "verified",
  rejectionReason: null,
  uploadedAt: "2026-11-02T10:00:00.000Z",
};

export const boardingPasses: BoardingPassesBody = {
  bookingId: booking.id,
  reference: "ORDER-1815",
  passes: [
    {
      passenger: 0,
      passengerName: "Ada Lovelace",
      flightId: "KP442-20270301",
      from: "LEO",
      destination: { id: "kepler-442b", name: "Kepler-442b" },
      departsAt: "2027-03-01T09:00:00.000Z",
      boardingAt: "2027-03-01T08:00:00.000Z",
      cabin: "economy",
      seat: "12A",
      boardingGroup: "E",
      sequence: 17,
      memberNumber: null,
      documentCheck: "ok",
      barcode: {
        format: "aztec",
        message:
          "M1LOVELACE/ADA        EVABPF5 LEOKEPKP 0442 060Y012A0017 123>60B0WW    BKP 12              2KP ^156bnao7mC45U8veHcBzXsyXZpA70TxbAinugmpkbQTJl6C16D7GOB1teP8VGDglZm5PNvBg_ht4eb5-Pmiz4_cBw",
      },
    },
  ],
};

export const loyaltyAccount: LoyaltyAccountBody = {
  id: "loy_01JC8PZ9X7V5T3R1P0N8M6K4",
  memberNumber: "TB48151623",
  memberSince: "2026-11-01",
  tier: "pioneer",
  pointsBalance: 61_200,
  pointsPending: 2_623,
  lifetimePoints: 71_200,
  pointsExpireOn: "2028-11-30",
  tierProgress: { nextTier: "admiral", pointsToNextTier: 78_800, percent: 21 },
};

export const redemptionTransaction: LoyaltyTransactionBody = {
  id: "ltx_01JC8QAY6A8C0E2G4J6M8P0R",
  type: "redeem",
  points: -10_000,
  balanceAfter: 61_200,
  bookingId: null,
  description: "Redeemed for booking credit",
  createdAt: "2026-11-04T15:00:00.000Z",
};

export const redemptionRequest: z.input<typeof createRedemptionSchema> = { reward: "booking_credit" };

export const redemption: RedemptionBody = {
  id: "red_01JC8QAX4Z6B8D0F2H4K6N8Q",
  reward: "booking_credit",
  bookingId: null,
  points: 10_000,
  status: "completed",
  transactionId: redemptionTransaction.id,
  createdAt: "2026-11-04T15:00:00.000Z",
};

export const boardingPassKeys: BoardingPassKeysBody = {
  keys: [{ kty: "OKP", crv: "Ed25519", alg: "EdDSA", use: "sig", x: "6kpsY-KcUgq-9VB7Ey7F-ZVHdq6-vnuSQh7qaRRG0iw" }],
};
