import { CABINS } from "@travel-booking/domain";
import { z } from "zod";
import { BOOKING_STATUSES } from "../enumerations.ts";
import { email } from "../fields/email.ts";
import { cents, currency } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";
import { identifier, text } from "../fields/text.ts";
import { momentParameter, utcDateTime } from "../fields/time.ts";
import { chosenSeats, MAX_PASSENGERS } from "./seats.ts";

const reference = text({ max: 64, blank: "accepted" });
const passenger = strict({ name: text({ max: 200, blank: "refused" }), email });
const passengers = z.array(passenger, { error: phrase }).max(MAX_PASSENGERS);

export const bookingSchema = strict({
  id: z.string(),
  status: oneOf(BOOKING_STATUSES),
  cabin: oneOf(CABINS),
  flightId: z.string(),
  passengers: z.array(strict({ name: z.string(), email: z.string() })),
  totalAmount: cents,
  currency,
  /** File names, oldest first. */
  documents: z.array(z.string()),
  /** One per passenger, in passenger order; empty until chosen. */
  seats: z.array(z.string()),
  /** Absent where the client sent none. */
  reference: z.string().optional(),
  createdAt: utcDateTime,
});
export type BookingBody = z.infer<typeof bookingSchema>;

export const createBookingSchema = strict({
  flightId: identifier,
  cabin: oneOf(CABINS),
  passengers: passengers.min(1),
  reference: reference.optional(),
  holdId: identifier.optional(),
  seats: chosenSeats.optional(),
});
export type CreateBookingRequest = z.infer<typeof createBookingSchema>;

/** Only what changes. How many passengers and seats there are is checked against the booking (422), not here. */
export const changeBookingSchema = strict({
  reference: reference.nullable().optional(),
  passengers: passengers.optional(),
  seats: chosenSeats.optional(),
  holdId: identifier.optional(),
});
export type ChangeBookingRequest = z.infer<typeof changeBookingSchema>;

export const cancelBookingSchema = strict({ reason: text({ max: 500, blank: "accepted" }).optional() });
export type CancelBookingRequest = z.infer<typeof cancelBookingSchema>;

/** `asOf` in milliseconds since the epoch. */
export const bookingQuerySchema = strict({ asOf: momentParameter.optional() });
export type BookingQuery = z.infer<typeof bookingQuerySchema>;
