import { MAX_DOCUMENTS } from "@travel-booking/domain";
import { z } from "zod";
import { BOOKING_STATUSES } from "../enumerations.ts";
import { email } from "../fields/email.ts";
import { cents, currency } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { identifier, outputId, outputText, text } from "../fields/text.ts";
import { instantParameter, utcDateTime } from "../fields/time.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { cabin } from "./cabin.ts";
import { chosenSeats, MAX_PASSENGERS } from "./seats.ts";

const reference = text({ max: 64, blank: "accepted" });
const holdId = identifier.describe("A seat hold whose seats are assigned; it is used up.");

const passenger = strictObject({
  name: text({ max: 200, blank: "refused" }).describe("Full name as on the travel document."),
  email: email.describe("Where updates about boarding go."),
}).meta({ id: "NewBookingPassenger", description: "Somebody who travels, as a client names them." });
const passengers = z.array(passenger, { error: validationMessage }).max(MAX_PASSENGERS);

export const bookingPassengerSchema = strictObject({
  name: outputText(200).describe("Full name as on the travel document."),
  email: outputText(254).meta({ format: "email" }).describe("Where updates about boarding go."),
}).meta({ id: "BookingPassenger", description: "Somebody who travels." });

export const bookingSchema = strictObject({
  id: outputId.describe("Identifies the booking."),
  status: oneOf(BOOKING_STATUSES).describe("`pending` until paid, then `confirmed`; `cancelled` for good."),
  cabin,
  flightId: outputId.describe("The flight booked."),
  passengers: z.array(bookingPassengerSchema).max(MAX_PASSENGERS).describe("Everyone travelling."),
  totalAmount: cents.describe("The price of the whole booking, in cents."),
  currency,
  documents: z
    .array(outputText(255).describe("A file name as uploaded."))
    .max(MAX_DOCUMENTS)
    .describe("File names of the travel documents uploaded, oldest first."),
  seats: z
    .array(outputText(16).describe("A seat number."))
    .max(MAX_PASSENGERS)
    .describe("One seat number per passenger, in passenger order; empty until seats are chosen."),
  reference: outputText(64).describe("The client's own reference; absent where none was sent.").optional(),
  createdAt: utcDateTime.describe("When the booking was made."),
}).meta({ id: "Booking", description: "Passengers on a flight, with what it costs and how it stands." });
export type BookingBody = z.infer<typeof bookingSchema>;

export const createBookingSchema = strictObject({
  flightId: identifier.describe("The flight to book."),
  cabin,
  passengers: passengers.min(1).describe("Everyone travelling."),
  reference: reference.describe("A reference of the client's own.").optional(),
  holdId: holdId.optional(),
  seats: chosenSeats.optional(),
}).meta({ id: "CreateBooking", description: "Who travels on which flight, and where they want to sit." });
export type CreateBookingRequest = z.infer<typeof createBookingSchema>;

/** Only what changes. How many passengers and seats there are is checked against the booking (422), not here. */
export const changeBookingSchema = strictObject({
  reference: reference.nullable().describe("A reference of the client's own; null removes it.").optional(),
  passengers: passengers.describe("As many as on the booking, in the same order.").optional(),
  seats: chosenSeats.optional(),
  holdId: holdId.optional(),
}).meta({ id: "ChangeBooking", description: "Only what changes; a field left out stays as it is." });
export type ChangeBookingRequest = z.infer<typeof changeBookingSchema>;

export const cancelBookingSchema = strictObject({
  reason: text({ max: 500, blank: "accepted" }).describe("Why it is cancelled; kept for the records.").optional(),
}).meta({ id: "CancelBooking", description: "Why the booking is cancelled, where that is to be kept." });
export type CancelBookingRequest = z.infer<typeof cancelBookingSchema>;

/** `asOf` in milliseconds since the epoch. */
export const bookingQuerySchema = strictObject({
  asOf: instantParameter.describe("The booking as it was at this moment, which must not lie ahead.").optional(),
});
export type BookingQuery = z.infer<typeof bookingQuerySchema>;
