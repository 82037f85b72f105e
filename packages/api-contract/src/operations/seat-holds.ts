import type { Operation } from "../operation.ts";
import { seatHoldRequestSchema, seatHoldSchema } from "../resources/seat-hold.ts";

export const createSeatHoldOperation = {
  id: "createSeatHold",
  method: "POST",
  path: "/v1/flights/{id}/seat-holds",
  service: "command",
  tag: "Seat holds",
  summary: "Hold seats for 15 minutes",
  description:
    "All of the seats or none, at most nine and all in one cabin. The hold goes as `holdId` with a booking or a change of one; unused, its seats are free again when it expires.",
  scope: "bookings:write",
  body: seatHoldRequestSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: seatHoldSchema },
  errors: {
    404: "There is no flight with this id.",
    409: "A seat is taken, blocked or already held, or the flight has departed.",
    422: "A seat does not exist on this flight, or the seats span cabins.",
  },
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
    404: "There is no such flight or no such hold on it.",
    409: "The hold has been used, has expired or has been released already.",
  },
} as const satisfies Operation;
