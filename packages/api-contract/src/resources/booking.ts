import { MAX_DOCUMENTS, MAX_FILE_NAME_LENGTH } from "@travel-booking/domain";
import { z } from "zod";
import {
  cents,
  currency,
  dayOrInstantParameter,
  email,
  identifier,
  instantParameter,
  MAX_EMAIL,
  metadata,
  metadataChanges,
  nextInstantParameter,
  outputId,
  outputText,
  text,
  uniqueArray,
  utcDateTime,
} from "../fields.ts";
import type { Operation } from "../operation.ts";
import { cabin } from "./flight.ts";
import { listOf, pageParameters, pageQuerySchema } from "./page.ts";
import { outputSeatNumber, seatNumber } from "./seat-map.ts";

const BOOKING_STATUSES = ["pending", "confirmed", "cancelled"] as const;
const ACTOR_KINDS = ["credential", "operator", "system"] as const;

/** Passengers per booking (docs/rules.md#party-size). */
export const MAX_PASSENGERS = 9;
export const MAX_PASSENGER_NAME = 200;
export const MAX_REFERENCE = 64;
export const MAX_REASON = 500;

const reference = text({ max: MAX_REFERENCE, blank: "accepted", line: true });
export const holdId = identifier.describe("A seat hold whose seats are assigned; it is used up.");

const passenger = z
  .strictObject({
    name: text({ max: MAX_PASSENGER_NAME, blank: "refused", line: true }).describe(
      "Full name as on the travel document.",
    ),
    email: email.describe("Where updates about boarding go."),
  })
  .meta({ id: "BookingPassengerRequest", description: "Somebody who travels, as a client names them." });
const passengers = z.array(passenger).max(MAX_PASSENGERS);

const bookedPassenger = z
  .xor(
    [
      passenger,
      z
        .strictObject({
          passengerId: identifier.describe(
            "A saved passenger, whose first and last name and e-mail address the booking takes as they are now.",
          ),
        })
        .meta({ id: "SavedPassenger", description: "Somebody who travels, and is a saved passenger." }),
    ],
    { error: "must have name and email, or passengerId" },
  )
  .meta({ id: "BookedPassenger", description: "Somebody who travels: by name and e-mail address, or saved." });

/** Empty: no seats are chosen yet. The number of seats is compared with the passengers of the booking elsewhere. */
export const chosenSeats = uniqueArray(seatNumber.describe("A seat number: row and column."), {
  min: 0,
  max: MAX_PASSENGERS,
}).describe(
  "One seat number per passenger, in passenger order. Each must be free, held by `holdId`, or already on the booking.",
);

const bookingStatus = z
  .enum(BOOKING_STATUSES)
  .meta({ id: "BookingStatus", description: "First `pending`, once paid `confirmed`; `cancelled` for good." });

const bookingPassengerSchema = z
  .strictObject({
    name: outputText(MAX_PASSENGER_NAME).describe("Full name as on the travel document."),
    email: outputText(MAX_EMAIL).meta({ format: "email" }).describe("Where updates about boarding go."),
  })
  .meta({ id: "BookingPassenger", description: "Somebody who travels." });

export const bookingSchema = z
  .strictObject({
    id: outputId.describe("Identifies the booking."),
    status: bookingStatus,
    cabin,
    flightId: outputId.describe("The flight booked."),
    passengers: z.array(bookingPassengerSchema).max(MAX_PASSENGERS).describe("Everyone travelling."),
    totalAmount: cents.describe(
      "The price of the whole booking, in cents: the fare times the passengers, plus the `price` of each seat they chose, minus credit.",
    ),
    currency,
    documents: z
      .array(outputText(MAX_FILE_NAME_LENGTH).describe("A file name as uploaded."))
      .max(MAX_DOCUMENTS)
      .describe("File names of the travel documents uploaded, oldest first."),
    seats: z
      .array(outputSeatNumber.describe("A seat number."))
      .max(MAX_PASSENGERS)
      .describe("One seat number per passenger, in passenger order; empty until seats are chosen."),
    reference: outputText(MAX_REFERENCE).describe("The client's own reference; absent where none was sent.").optional(),
    createdAt: utcDateTime.describe("When the booking was made."),
  })
  .meta({ id: "Booking", description: "Passengers on a flight, with what it costs and how it stands." });
/** A change of `status` has events of its own. */
export const previousBookingSchema = bookingSchema
  .omit({ id: true, status: true, createdAt: true })
  .partial()
  .extend({ reference: outputText(MAX_REFERENCE).nullable().describe("Null where there was none.").optional() })
  .meta({ id: "PreviousBooking", description: "The changed fields of a booking with the values they had." });

export type BookingBody = z.infer<typeof bookingSchema>;

export const createBookingSchema = z
  .strictObject({
    flightId: identifier.describe("The flight to book."),
    cabin,
    passengers: z.array(bookedPassenger).min(1).max(MAX_PASSENGERS).describe("Everyone travelling."),
    reference: reference.describe("A reference of the client's own.").optional(),
    holdId: holdId.optional(),
    seats: chosenSeats.optional(),
    metadata: metadata.optional(),
  })
  .meta({ id: "CreateBooking", description: "Who travels on which flight, and where they want to sit." });
export type CreateBookingRequest = z.infer<typeof createBookingSchema>;

/** The numbers of passengers and seats are checked against the booking (422), not here. */
export const changeBookingSchema = z
  .strictObject({
    reference: reference.nullable().describe("A reference of the client's own; null removes it.").optional(),
    passengers: passengers.describe("As many as on the booking, in the same order.").optional(),
    seats: chosenSeats.optional(),
    holdId: holdId.optional(),
    metadata: metadataChanges.optional(),
  })
  .meta({ id: "ChangeBooking", description: "Only what changes; a field left out stays as it is." });
export type ChangeBookingRequest = z.infer<typeof changeBookingSchema>;

export const cancelBookingSchema = z
  .strictObject({
    reason: text({ max: MAX_REASON, blank: "accepted" })
      .describe("Why it is cancelled; kept for the records.")
      .optional(),
  })
  .meta({ id: "CancelBooking", description: "Why the booking is cancelled, where that is to be kept." });
export type CancelBookingRequest = z.infer<typeof cancelBookingSchema>;

/** `createdAfter` is exclusive, `departsAfter` inclusive, as for events and for flights. */
export const bookingListQuerySchema = z.strictObject({
  status: bookingStatus.describe("Only bookings of this status.").optional(),
  flightId: identifier.describe("Only bookings of this flight.").optional(),
  reference: reference.describe("Only bookings with exactly this reference.").optional(),
  email: email.describe("Only bookings with a passenger of this e-mail address, whatever its case.").optional(),
  passCode: z
    .string()
    .regex(/^[A-Za-z0-9]{6}$/, { error: "must be six letters and digits" })
    .transform((code) => code.toUpperCase())
    .meta({ maxLength: 6 })
    .describe("Only bookings with this code on their boarding passes, whatever its case; several may have it.")
    .optional(),
  createdAfter: instantParameter.describe("Only bookings made later than this moment.").optional(),
  createdBefore: nextInstantParameter.describe("Only bookings made earlier than this moment.").optional(),
  departsAfter: dayOrInstantParameter
    .describe("Only bookings that depart on this day or at this moment, UTC, or later.")
    .optional(),
  departsBefore: dayOrInstantParameter.describe("Only bookings that depart before this day or moment, UTC.").optional(),
  ...pageParameters,
});
export type BookingListQuery = z.infer<typeof bookingListQuerySchema>;

export const bookingQuerySchema = z.strictObject({
  asOf: instantParameter.describe("The booking as it was at this moment, which must not lie ahead.").optional(),
});
export type BookingQuery = z.infer<typeof bookingQuerySchema>;

const actorSchema = z
  .strictObject({
    kind: z
      .enum(ACTOR_KINDS)
      .meta({ id: "ActorKind", description: "Whether a client, the operator or time itself brought it about." }),
    id: outputId.describe("Which credential, operator or part of the service."),
  })
  .meta({ id: "Actor", description: "Who or what brought something about." });

const bookingHistoryEntrySchema = z
  .strictObject({
    id: outputId.describe("Identifies the entry."),
    type: outputText(64).describe("What happened, such as `booking.created` or `transfer.received`."),
    createdAt: utcDateTime.describe("When it happened."),
    actor: actorSchema,
    requestId: outputText(128).nullable().describe("The `X-Request-Id` of the request that caused it, if one did."),
    changes: z.record(z.string(), z.unknown()).describe("The facts of it, by name; they depend on `type`."),
  })
  .meta({ id: "BookingHistoryEntry", description: "Something that happened to a booking." });
export type BookingHistoryEntry = z.infer<typeof bookingHistoryEntrySchema>;

export const NO_BOOKING = { 404: ["booking_not_found"] } as const;

export const createBookingOperation = {
  id: "createBooking",
  method: "POST",
  path: "/v1/bookings",
  service: "command",
  tag: "Bookings",
  summary: "Book passengers on a flight",
  description:
    "A new booking is `pending` until it is paid; its fare is settled. Unpaid, it is cancelled after 24 hours, or two hours before departure where that is sooner. Seats may be left to be chosen later. A `passengerId` needs the scope `passengers:read`, too. An account has a quota for the seats of a cabin that it keeps held or booked without paying.",
  scope: "bookings:write",
  body: createBookingSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: bookingSchema },
  errors: {
    400: ["seat_named_twice"],
    404: ["flight_not_found", "hold_not_found", "hold_used", "hold_expired", "hold_released", "profile_not_found"],
    409: [
      "cabin_sold_out",
      "seat_blocked",
      "seat_taken",
      "seat_held",
      "seats_owed",
      "quota_exceeded",
      "flight_departed",
      "flight_cancelled",
      "sales_closed",
    ],
    422: [
      "cabin_not_on_flight",
      "seat_unknown",
      "seat_in_other_cabin",
      "seat_count_mismatch",
      "hold_cabin_mismatch",
      "hold_flight_mismatch",
    ],
  },
} as const satisfies Operation;

export const listBookingsOperation = {
  id: "listBookings",
  method: "GET",
  path: "/v1/bookings",
  service: "query",
  tag: "Bookings",
  summary: "List bookings, newest first",
  description:
    "Filters hold together. A page may end early, even without an entry, and others behind it, where much was looked through. By `reference` and `email` no erased booking is found.",
  scope: "bookings:read",
  query: bookingListQuerySchema,
  success: { status: 200, body: listOf(bookingSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const getBookingOperation = {
  id: "getBooking",
  method: "GET",
  path: "/v1/bookings/{id}",
  service: "query",
  tag: "Bookings",
  summary: "Get a booking, as it is or as it was",
  description: "With `asOf`, the booking as it was after the last event at or before that moment.",
  scope: "bookings:read",
  query: bookingQuerySchema,
  success: { status: 200, body: bookingSchema },
  errors: { 400: ["moment_in_future"], 404: ["booking_not_found", "booking_not_yet_made"] },
} as const satisfies Operation;

export const changeBookingOperation = {
  id: "changeBooking",
  method: "PATCH",
  path: "/v1/bookings/{id}",
  service: "command",
  tag: "Bookings",
  summary: "Change a booking",
  description:
    "Send only what changes. Seats may be chosen anew until departure; dearer ones only as long as the booking is unpaid. A change that changes nothing emits nothing, nor does one of `metadata` alone; any other emits `booking.changed` with the previous values. To add or remove passengers, cancel and book again.",
  scope: "bookings:write",
  body: changeBookingSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: bookingSchema },
  errors: {
    400: ["seat_named_twice", "too_much_metadata"],
    404: ["booking_not_found", "hold_not_found", "hold_used", "hold_expired", "hold_released"],
    409: [
      "booking_cancelled",
      "seat_blocked",
      "seat_taken",
      "seat_held",
      "seats_owed",
      "seat_price_fixed",
      "too_many_seat_changes",
      "too_many_changes",
      "payment_pending",
      "flight_departed",
      "flight_cancelled",
    ],
    422: [
      "passenger_count_mismatch",
      "seat_unknown",
      "seat_in_other_cabin",
      "seat_count_mismatch",
      "hold_cabin_mismatch",
      "hold_flight_mismatch",
    ],
  },
} as const satisfies Operation;

export const cancelBookingOperation = {
  id: "cancelBooking",
  method: "POST",
  path: "/v1/bookings/{id}/cancel",
  service: "command",
  tag: "Bookings",
  summary: "Cancel a booking",
  description:
    "The seats are released. What was paid is refunded, unless departure is less than 24 hours away. Cancelling twice is a no-op.",
  scope: "bookings:write",
  body: cancelBookingSchema,
  bodyOptional: true,
  idempotencyKey: "accepted",
  success: { status: 200, body: bookingSchema },
  errors: NO_BOOKING,
} as const satisfies Operation;

export const getBookingHistoryOperation = {
  id: "getBookingHistory",
  method: "GET",
  path: "/v1/bookings/{id}/history",
  service: "query",
  tag: "Bookings",
  summary: "List what happened to a booking, oldest first",
  description: "Everything that happened, by whom it was brought about, and the facts of it.",
  scope: "bookings:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(bookingHistoryEntrySchema) },
  errors: { ...NO_BOOKING, 400: ["invalid_cursor"] },
} as const satisfies Operation;
