import type { z } from "zod";
import type {
  BookingBody,
  BookingHistoryEntry,
  cancelBookingSchema,
  changeBookingSchema,
  createBookingSchema,
} from "../resources/booking.ts";
import type { BookingSummaryBody, CancellationQuoteBody } from "../resources/booking-summary.ts";
import type { DisruptionBody } from "../resources/disruption.ts";

export const newBooking: z.input<typeof createBookingSchema> = {
  flightId: "KP442-20270301",
  cabin: "economy",
  passengers: [
    { name: "Ada Lovelace", email: "ada@example.com" },
    { name: "Alan Turing", email: "alan@example.com" },
  ],
  reference: "ORDER-1815",
  holdId: "hld_01JC8Q4ZK3T5V7X9B2D4F6H8",
  metadata: { channel: "app" },
};

export const bookingOfSaved: z.input<typeof createBookingSchema> = {
  flightId: newBooking.flightId,
  cabin: "economy",
  passengers: [{ passengerId: "psg_01JC8Q1A3C5E7G9J1M3P5R7T" }],
};

export const booking: BookingBody = {
  id: "bkg_01JC8Q5N2M4P6R8T0V2X4Z6B",
  status: "confirmed",
  cabin: "economy",
  flightId: "KP442-20270301",
  passengers: [
    { name: "Ada Lovelace", email: "ada@example.com" },
    { name: "Alan Turing", email: "alan@example.com" },
  ],
  totalAmount: 262_300,
  currency: "USD",
  documents: ["passport-lovelace.pdf"],
  seats: ["12A", "12B"],
  reference: "ORDER-1815",
  createdAt: "2026-11-02T09:30:00.000Z",
};

const until = "2027-02-28T09:00:00.000Z";

export const bookingSummary: BookingSummaryBody = {
  bookingId: booking.id,
  passCode: "VABPF5",
  expiresAt: null,
  cancellableUntil: until,
  cancelledAt: null,
  cancellationReason: null,
  price: { fare: 259_800, surcharges: 2_500, credit: 0, total: booking.totalAmount, currency: booking.currency },
  paymentIds: ["pay_01JC8Q6Q8S0U2W4Y6A8C0E2G"],
  metadata: { channel: "app" },
  updatedAt: "2026-11-02T09:32:00.000Z",
};

export const cancellationQuote: CancellationQuoteBody = {
  refundAmount: booking.totalAmount,
  credit: 0,
  currency: booking.currency,
  until,
};

export const bookingChange: z.input<typeof changeBookingSchema> = { seats: ["14A", "14B"], reference: null };

export const cancellation: z.input<typeof cancelBookingSchema> = { reason: "The customer changed their mind." };

export const historyEntry: BookingHistoryEntry = {
  id: "0192f3a4-6b7c-7d8e-9f01-23456789abcd",
  type: "booking.created",
  createdAt: "2026-11-02T09:30:00.000Z",
  actor: { kind: "credential", id: "cred_01JC8PZ9X7V5T3R1P0N8M6K4" },
  requestId: "order-1815",
  changes: { cabin: "economy", totalAmount: 262_300 },
};

export const disruption: DisruptionBody = {
  id: "dcs_01JC8Q5N2M4P6R8T0V2X4Z6B1",
  disruptionId: "dis_01JCZ9A7B5C3D1E9F7G5H3J1",
  bookingId: booking.id,
  kind: "cancelled",
  significant: true,
  reason: "The ship needs another drive.",
  revision: 1,
  status: "resolved",
  before: {
    flightId: booking.flightId,
    departsAt: "2027-03-01T09:00:00.000Z",
    durationDays: 480,
    cabin: booking.cabin,
    seats: booking.seats,
  },
  after: null,
  actions: [],
  respondBy: null,
  onSilence: null,
  outcome: "refunded",
  refundAmount: booking.totalAmount,
  createdAt: "2026-12-01T12:00:01.000Z",
  resolvedAt: "2026-12-01T12:00:01.000Z",
};
