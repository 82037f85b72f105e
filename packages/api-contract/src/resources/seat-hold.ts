import { HOLD_DURATION, HOLD_STATUSES, MAX_SEATS_PER_HOLD, MINUTE } from "@travel-booking/domain";
import { z } from "zod";
import { outputId, uniqueArray, utcDateTime } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { cabin, NO_FLIGHT } from "./flight.ts";
import { outputSeatNumber, seatNumber } from "./seat-map.ts";

const HOLD_MINUTES = HOLD_DURATION / MINUTE;

export const seatHoldSchema = z
  .strictObject({
    id: outputId.describe("Identifies the hold; goes as `holdId` with a booking."),
    flightId: outputId.describe("The flight whose seats are held."),
    cabin,
    seats: z
      .array(outputSeatNumber.describe("A seat number."))
      .max(MAX_SEATS_PER_HOLD)
      .describe("The seat numbers held."),
    status: z
      .enum(HOLD_STATUSES)
      .meta({ id: "SeatHoldStatus", description: "It is `active` until used on a booking, given back or expired." }),
    createdAt: utcDateTime.describe("When the seats were held."),
    expiresAt: utcDateTime.describe("When the seats go back if the hold is unused."),
  })
  .meta({ id: "SeatHold", description: `Seats that nobody else can have for ${HOLD_MINUTES} minutes.` });
export type SeatHoldBody = z.infer<typeof seatHoldSchema>;

export const seatHoldRequestSchema = z
  .strictObject({
    seats: uniqueArray(seatNumber.describe("A seat number: row and column."), {
      min: 1,
      max: MAX_SEATS_PER_HOLD,
    }).describe("Seat numbers, all in one cabin."),
  })
  .meta({
    id: "CreateSeatHold",
    description: "The seats to hold: all of them or none.",
  });
export type SeatHoldRequest = z.infer<typeof seatHoldRequestSchema>;

export const createSeatHoldOperation = {
  id: "createSeatHold",
  method: "POST",
  path: "/v1/flights/{id}/seat-holds",
  service: "command",
  tag: "Seat holds",
  summary: `Hold seats for ${HOLD_MINUTES} minutes`,
  description:
    "All of the seats or none, at most nine and all in one cabin. The hold goes as `holdId` with a booking or a change of one; unused, its seats are free again when it expires. An account has quotas for its active holds, and for the seats of a cabin that it keeps held or booked without paying.",
  scope: "bookings:write",
  body: seatHoldRequestSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: seatHoldSchema },
  errors: {
    ...NO_FLIGHT,
    400: ["no_seats", "seat_named_twice", "too_many_seats"],
    409: [
      "seat_blocked",
      "seat_taken",
      "seat_held",
      "seats_owed",
      "quota_exceeded",
      "flight_departed",
      "flight_cancelled",
      "sales_closed",
    ],
    422: ["seat_unknown", "seats_span_cabins"],
  },
} as const satisfies Operation;

export const getSeatHoldOperation = {
  id: "getSeatHold",
  method: "GET",
  path: "/v1/flights/{id}/seat-holds/{holdId}",
  service: "query",
  tag: "Seat holds",
  summary: "Get a seat hold, also one that has ended",
  scope: "bookings:read",
  success: { status: 200, body: seatHoldSchema },
  errors: { 404: ["hold_not_found"] },
} as const satisfies Operation;

export const releaseSeatHoldOperation = {
  id: "releaseSeatHold",
  method: "DELETE",
  path: "/v1/flights/{id}/seat-holds/{holdId}",
  service: "command",
  tag: "Seat holds",
  summary: "Give held seats back",
  description: "For a customer who has changed their mind: the seats are free again at once.",
  scope: "bookings:write",
  success: { status: 204, body: null },
  errors: {
    404: ["hold_not_found", "flight_not_found"],
    409: ["hold_used", "hold_expired", "hold_released"],
  },
} as const satisfies Operation;
