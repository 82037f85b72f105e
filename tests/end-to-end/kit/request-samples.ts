import {
  acceptDisruptionOperation,
  cancelBookingOperation,
  changeBookingOperation,
  changePassengerOperation,
  changeWebhookEndpointOperation,
  createBookingOperation,
  createPassengerOperation,
  createPaymentOperation,
  createRedemptionOperation,
  createRefundOperation,
  createSeatHoldOperation,
  createWebhookEndpointOperation,
  type Operation,
  rebookDisruptionOperation,
  refundDisruptionOperation,
  replayWebhookEndpointOperation,
  testWebhookEndpointOperation,
} from "@travel-booking/api-contract";
import { ADA, newKey } from "./client.ts";

/** A request that is right in itself, for things that are not there: right up to the 404, or what it answers else. */
export interface Sample {
  readonly operation: Operation;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly status?: number;
  /** What it answers when it was sent before, where that is another one. */
  readonly again?: number;
}

const BOOKING = `bkg_${"0".repeat(32)}`;
const CASE = `dcs_${"0".repeat(44)}`;
const PAYMENT = `pay_${"0".repeat(44)}`;

const PASSENGER = {
  firstName: "Ada",
  lastName: "Lovelace",
  email: "ada@example.com",
  dateOfBirth: "1985-12-10",
  nationality: "GB",
  passport: { number: "L898902C3", expiresOn: "2034-04-15", issuingCountry: "NZ" },
  loyaltyNumber: "TB-7",
  metadata: { a: "b" },
  preferences: { seat: "window", meal: "vegan", cryosleep: true },
};

/** One of every operation that takes a JSON body, and one more for each further shape of it. */
export const SAMPLES: readonly Sample[] = [
  { operation: createSeatHoldOperation, path: "/v1/flights/none/seat-holds", body: { seats: ["10A", "10B"] } },
  {
    operation: createBookingOperation,
    path: "/v1/bookings",
    body: {
      flightId: "none",
      cabin: "economy",
      passengers: [ADA],
      reference: "r",
      holdId: "hld_none",
      seats: ["10A"],
    },
  },
  {
    operation: changeBookingOperation,
    path: `/v1/bookings/${BOOKING}`,
    body: { reference: "r", passengers: [ADA], seats: ["10A"], holdId: "hld_none" },
  },
  { operation: acceptDisruptionOperation, path: `/v1/disruptions/${CASE}/accept`, body: { revision: 1 } },
  {
    operation: rebookDisruptionOperation,
    path: `/v1/disruptions/${CASE}/rebook`,
    body: { revision: 1, flightId: "F", seats: ["10A"], holdId: "hld_none" },
  },
  { operation: refundDisruptionOperation, path: `/v1/disruptions/${CASE}/refund`, body: { revision: 1 } },
  { operation: cancelBookingOperation, path: `/v1/bookings/${BOOKING}/cancel`, body: { reason: "r" } },
  {
    operation: createPaymentOperation,
    path: `/v1/bookings/${BOOKING}/payments`,
    body: { type: "card", token: "tok_visa", saveCard: true, metadata: { a: "b" } },
  },
  {
    operation: createPaymentOperation,
    path: `/v1/bookings/${BOOKING}/payments`,
    body: { type: "wallet", walletType: "paypal", token: "tok_visa", metadata: { a: "b" } },
  },
  {
    operation: createPaymentOperation,
    path: `/v1/bookings/${BOOKING}/payments`,
    body: { type: "bank_transfer", metadata: { a: "b" } },
  },
  {
    operation: createRefundOperation,
    path: `/v1/payments/${PAYMENT}/refunds`,
    body: { reason: "duplicate", amount: 1 },
  },
  {
    operation: createPassengerOperation,
    path: "/v1/passengers",
    body: PASSENGER,
    status: 201,
    again: 409,
  },
  {
    operation: createRedemptionOperation,
    path: "/v1/loyalty/redemptions",
    body: { reward: "cabin_upgrade", bookingId: BOOKING },
  },
  { operation: changePassengerOperation, path: "/v1/passengers/psg_none", body: PASSENGER },
  {
    operation: createWebhookEndpointOperation,
    path: "/v1/webhook-endpoints",
    body: { url: "https://8.8.8.8/events", events: ["booking.changed", "payment.failed"] },
    status: 201,
  },
  {
    operation: changeWebhookEndpointOperation,
    path: "/v1/webhook-endpoints/whe_none",
    body: { events: ["booking.changed"], headers: { "X-Key": "value" }, maxPerSecond: 5 },
  },
  {
    operation: testWebhookEndpointOperation,
    path: "/v1/webhook-endpoints/whe_none/test",
    body: { type: "payment.failed" },
  },
  {
    operation: replayWebhookEndpointOperation,
    path: "/v1/webhook-endpoints/whe_none/replay",
    body: { since: "2026-11-21T10:00:00Z" },
  },
];

export const nameOfSample = ({ operation, body }: Sample) =>
  `${operation.id}${"type" in body && operation.id === "createPayment" ? ` by ${String(body.type)}` : ""}`;

/** What the operation asks for in headers besides a credential. */
export function neededHeaders({ idempotencyKey }: Operation): Readonly<Record<string, string>> {
  return idempotencyKey === "required" ? { "idempotency-key": newKey() } : {};
}
