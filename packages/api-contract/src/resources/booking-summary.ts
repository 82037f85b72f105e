import { MAX_PAYMENTS } from "@travel-booking/domain";
import { z } from "zod";
import { cents, currency, outputId, outputMetadata, outputText, utcDateTime } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { MAX_REASON, NO_BOOKING } from "./booking.ts";

const priceSchema = z
  .strictObject({
    fare: cents.describe("The fares of all passengers, in cents."),
    surcharges: cents.describe("What the seats that they chose cost beyond it, in cents."),
    credit: cents.describe("What credit takes off, in cents."),
    total: cents.describe("Fare and surcharges minus credit, in cents; refunds do not lower it."),
    currency,
  })
  .meta({ id: "BookingPrice", description: "What the total of a booking is made of." });

const cancellableUntil = utcDateTime.nullable();

export const bookingSummarySchema = z
  .strictObject({
    bookingId: outputId.describe("The booking."),
    passCode: outputText(6).describe("The code on its boarding passes; others may have the same."),
    expiresAt: utcDateTime
      .nullable()
      .describe("When it is cancelled unless it is paid; null once it is confirmed or cancelled."),
    cancellableUntil: cancellableUntil.describe(
      "The last moment of a free cancellation: 24 hours before departure, or departure itself while a significant disruption is open; null once it is cancelled.",
    ),
    cancelledAt: utcDateTime.nullable().describe("When it was cancelled; null if it was not."),
    cancellationReason: outputText(MAX_REASON)
      .nullable()
      .describe("Why the client cancelled it; null where no reason was sent, or time ended it."),
    price: priceSchema,
    paymentIds: z.array(outputId.describe("A payment.")).max(MAX_PAYMENTS).describe("Its payments, oldest first."),
    metadata: outputMetadata,
    updatedAt: utcDateTime.describe("When something last happened to it."),
  })
  .meta({ id: "BookingSummary", description: "What there is to know about a booking beside the booking itself." });
export type BookingSummaryBody = z.infer<typeof bookingSummarySchema>;

export const cancellationQuoteSchema = z
  .strictObject({
    refundAmount: cents.describe("What would be refunded of its payments, in cents."),
    credit: cents.describe("What would go back to the account's credit balance, in cents."),
    currency,
    until: cancellableUntil.describe(
      "The last moment of a free cancellation; after it nothing goes back. Null once it is cancelled.",
    ),
  })
  .meta({ id: "CancellationQuote", description: "What a cancellation would give back now." });
export type CancellationQuoteBody = z.infer<typeof cancellationQuoteSchema>;

export const getBookingSummaryOperation = {
  id: "getBookingSummary",
  method: "GET",
  path: "/v1/bookings/{id}/summary",
  service: "query",
  tag: "Bookings",
  summary: "Get the times, the price, the payments and the metadata of a booking",
  description: "What the booking itself has no fields for.",
  scope: "bookings:read",
  success: { status: 200, body: bookingSummarySchema },
  errors: NO_BOOKING,
} as const satisfies Operation;

export const getCancellationQuoteOperation = {
  id: "getCancellationQuote",
  method: "GET",
  path: "/v1/bookings/{id}/cancellation-quote",
  service: "query",
  tag: "Bookings",
  summary: "Get what a cancellation would give back",
  description: "It is decided as the cancellation would be at this moment, and changes nothing.",
  scope: "bookings:read",
  success: { status: 200, body: cancellationQuoteSchema },
  errors: NO_BOOKING,
} as const satisfies Operation;
