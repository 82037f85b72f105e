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
  summary: "Book passengers on a flight",
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
  summary: "Get a booking, as it is or as it was",
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
  summary: "Change a booking",
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
  summary: "Cancel a booking",
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
  summary: "List what happened to a booking, oldest first",
  scope: "bookings:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(bookingHistoryEntrySchema) },
  errors: NO_BOOKING,
} as const satisfies Operation;
