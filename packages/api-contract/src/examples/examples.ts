import type { PublicEventType } from "@travel-booking/domain";
import type { ExampleObject } from "../openapi/types.ts";
import type { EventBody } from "../resources/event.ts";
import * as bookings from "./bookings.ts";
import * as events from "./events.ts";
import * as flights from "./flights.ts";
import * as payments from "./payments.ts";
import * as travellers from "./travellers.ts";

type Examples = Record<string, ExampleObject>;

interface OperationExamples {
  readonly request?: Examples;
  readonly answer?: Examples;
}

const one = (summary: string, value: unknown): Examples => ({ example: { summary, value } });

const page = (summary: string, ...data: readonly unknown[]): Examples =>
  one(summary, { data, page: { nextCursor: null, hasMore: false } });

const BOOKING = one("A booking of two", bookings.booking);

/** By operation: requests that can be sent as they are, and possible answers. */
const EXAMPLES: Readonly<Record<string, OperationExamples>> = {
  exchangeToken: {
    request: one("All scopes the client may use", {
      grant_type: "client_credentials",
      client_id: "cli_01JC8PZ9X7V5T3R1P0N8M6K4",
      client_secret: "not-a-secret",
    }),
    answer: one("A token of one hour", {
      token_type: "Bearer",
      access_token: "eyJhbGciOiJIUzI1NiJ9.e30.not-a-signature",
      expires_in: 3_600,
      scope: "flights:read bookings:read",
    }),
  },
  listDestinations: { answer: page("The only page", flights.destination) },
  getDestination: { answer: one("A temperate planet", flights.destination) },
  listFlights: { answer: page("The only page", flights.flight) },
  searchFlights: { answer: one("The flights of a day", [flights.flight]) },
  getFlight: { answer: one("A flight with two cabins", flights.flight) },
  getFlightStatus: { answer: one("The carrier has cancelled it", flights.flightStatus) },
  getSeatMap: { answer: one("One row of one cabin", flights.seatMap) },
  createSeatHold: {
    request: one("Two seats", flights.seatsToHold),
    answer: one("Held for a quarter of an hour", flights.seatHold),
  },
  getSeatHold: { answer: one("It has been used on a booking", { ...flights.seatHold, status: "used" }) },
  createBooking: {
    request: {
      named: { summary: "Two passengers on held seats", value: bookings.newBooking },
      saved: { summary: "A saved passenger", value: bookings.bookingOfSaved },
    },
    answer: one("Yet to be paid", { ...bookings.booking, status: "pending", documents: [] }),
  },
  listBookings: { answer: page("The only page", bookings.booking) },
  getBooking: { answer: BOOKING },
  changeBooking: {
    request: one("Other seats, and no reference any more", bookings.bookingChange),
    answer: one("The booking after the change", withoutReference({ ...bookings.booking, seats: ["14A", "14B"] })),
  },
  cancelBooking: {
    request: one("With a reason", bookings.cancellation),
    answer: one("The booking, cancelled", { ...bookings.booking, status: "cancelled" }),
  },
  getBookingSummary: { answer: one("Paid", bookings.bookingSummary) },
  getCancellationQuote: { answer: one("More than a day before departure", bookings.cancellationQuote) },
  getBookingHistory: { answer: page("How it began", bookings.historyEntry) },
  listDisruptions: { answer: page("The only page", bookings.disruption) },
  getDisruption: { answer: one("The flight was cancelled, and all money goes back", bookings.disruption) },
  listDisruptionAlternatives: { answer: page("The only page", flights.flight) },
  acceptDisruption: {
    request: one("As it was seen", { revision: 1 }),
    answer: one("Accepted", { ...bookings.disruption, outcome: "accepted", refundAmount: 0 }),
  },
  rebookDisruption: {
    request: one("Without seats", { revision: 1, flightId: "KEP442-2027-03-08" }),
    answer: one("On the other flight", { ...bookings.disruption, outcome: "rebooked", refundAmount: 0 }),
  },
  refundDisruption: {
    request: one("As it was seen", { revision: 1 }),
    answer: one("All money goes back", bookings.disruption),
  },
  listBookingDisruptions: { answer: one("The only one", { data: [bookings.disruption] }) },
  uploadDocument: { answer: BOOKING },
  listDocuments: { answer: one("A passport that is good", { data: [travellers.verifiedPassport] }) },
  getBoardingPass: { answer: one("With `format=json`", travellers.boardingPasses) },
  getBoardingPassKeys: { answer: one("One key", travellers.boardingPassKeys) },
  createPassenger: {
    request: one("Everything there is to know", travellers.newPassenger),
    answer: one("A saved passenger", travellers.passenger),
  },
  listPassengers: { answer: page("The only page", travellers.passenger) },
  getPassenger: { answer: one("A saved passenger", travellers.passenger) },
  changePassenger: {
    request: one("No passport and no metadata any more", travellers.passengerChange),
    answer: one("The passenger after the change", travellers.changedPassenger),
  },
  getLoyaltyAccount: { answer: one("On the way to the highest tier", travellers.loyaltyAccount) },
  listLoyaltyTransactions: { answer: page("The only page", travellers.redemptionTransaction) },
  createRedemption: {
    request: one("Credit for a booking to come", travellers.redemptionRequest),
    answer: one("Points were spent", travellers.redemption),
  },
  createPayment: {
    request: {
      card: { summary: "By card", value: payments.byCard },
      wallet: { summary: "By wallet", value: payments.byWallet },
      bankTransfer: { summary: "By bank transfer", value: payments.byTransfer },
    },
    answer: {
      succeeded: { summary: "Charged", value: payments.payment },
      failed: { summary: "Declined", value: payments.declined },
      pending: { summary: "Waiting for a transfer", value: payments.pendingTransfer },
    },
  },
  listBookingPayments: { answer: page("The only page", payments.payment) },
  listPayments: { answer: page("The only page", payments.payment) },
  getPayment: { answer: one("A payment by card", payments.payment) },
  createRefund: {
    request: one("A part of it", payments.refundRequest),
    answer: one("On its way to the card", payments.refund),
  },
  listEvents: { answer: page("The only page", events.events["booking.confirmed"]) },
  getEvent: { answer: one("A booking was confirmed", events.events["booking.confirmed"]) },
  createWebhookEndpoint: {
    request: one("Two types of event", events.newEndpoint),
    answer: one("With the secret, this once", events.createdEndpoint),
  },
  listWebhookEndpoints: { answer: one("The only one", { data: [events.endpoint] }) },
  getWebhookEndpoint: { answer: one("Two types of event", events.endpoint) },
  changeWebhookEndpoint: {
    request: one("More types, a header and a pace", events.endpointChange),
    answer: one("The endpoint after the change", events.changedEndpoint),
  },
  testWebhookEndpoint: {
    request: one("A sample of a confirmed booking", { type: "booking.confirmed" }),
    answer: one("It has arrived", events.delivery),
  },
  listWebhookDeliveries: { answer: page("The only page", events.delivery) },
  getWebhookStatus: { answer: one("All is well", events.endpointStatus) },
  resumeWebhookEndpoint: { answer: one("Active again", events.endpointStatus) },
  rotateWebhookSecret: {
    request: one("With a day of both", { expirePreviousNow: false }),
    answer: one("The new secret, this once", events.rotatedSecret),
  },
  replayWebhookEndpoint: { request: one("Since a day", events.replay) },
};

/** @param id of an operation */
export function examplesOf(id: string): OperationExamples {
  return EXAMPLES[id] ?? {};
}

export function eventExample(type: PublicEventType): EventBody {
  return events.events[type];
}

function withoutReference({ reference: _, ...booking }: typeof bookings.booking) {
  return booking;
}
