import type { Operation } from "../operation.ts";
import {
  bookingQuerySchema,
  bookingSchema,
  cancelBookingSchema,
  changeBookingSchema,
  createBookingSchema,
} from "../resources/booking.ts";
import { bookingHistoryEntrySchema } from "../resources/booking-history.ts";
import { listOf, pageQuerySchema } from "../resources/page.ts";

const NO_BOOKING = { 404: "There is no booking with this id." };

export const createBookingOperation = {
  id: "createBooking",
  method: "POST",
  path: "/v1/bookings",
  service: "command",
  tag: "Bookings",
  summary: "Book passengers on a flight",
  description:
    "A new booking is `pending` until it is paid; its fare is settled. Unpaid, it is cancelled after 24 hours, or two hours before departure where that is sooner. Seats may be left to be chosen later.",
  scope: "bookings:write",
  body: createBookingSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: bookingSchema },
  errors: {
    404: "There is no flight with this id, or no active hold with `holdId`.",
    409: "The cabin is sold out, a seat is taken, or the flight has departed.",
    422: "The flight has no such cabin, the number of seats does not match the passengers, the hold is of another cabin or flight, or the Idempotency-Key was already used with a different request.",
  },
} as const satisfies Operation;

export const listBookingsOperation = {
  id: "listBookings",
  method: "GET",
  path: "/v1/bookings",
  service: "query",
  tag: "Bookings",
  summary: "List bookings, newest first",
  scope: "bookings:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(bookingSchema) },
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
  errors: { 404: "There is no booking with this id, or there was none yet at `asOf`." },
} as const satisfies Operation;

export const changeBookingOperation = {
  id: "changeBooking",
  method: "PATCH",
  path: "/v1/bookings/{id}",
  service: "command",
  tag: "Bookings",
  summary: "Change a booking",
  description:
    "Send only what changes. Seats may be chosen anew until departure; dearer ones only as long as the booking is unpaid. A change that changes nothing emits nothing; any other emits `booking.changed` with the previous values. To add or remove passengers, cancel and book again.",
  scope: "bookings:write",
  body: changeBookingSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: bookingSchema },
  errors: {
    404: "There is no booking with this id, or no active hold with `holdId`.",
    409: "The booking is cancelled, a seat is taken, the change would alter a price that is settled, or the flight has departed.",
    422: "The number of passengers or seats does not match the booking, or a seat is in another cabin.",
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
  errors: NO_BOOKING,
} as const satisfies Operation;
