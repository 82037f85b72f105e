import type { Operation } from "../operation.ts";
import { boardingPassesSchema, boardingPassQuerySchema } from "../resources/boarding-pass.ts";

export const getBoardingPassOperation = {
  id: "getBoardingPass",
  method: "GET",
  path: "/v1/bookings/{id}/boarding-pass",
  service: "query",
  tag: "Boarding passes",
  summary: "Get the boarding passes of a confirmed booking",
  description:
    "As PDF with a page per passenger, as PNG with a barcode per passenger, one below the other, or as data. Passengers who have chosen no seats are given some: together as far as can be, and as they like to sit by their saved profiles.",
  scope: "bookings:read",
  query: boardingPassQuerySchema,
  success: { status: 200, body: boardingPassesSchema, files: ["application/pdf", "image/png"] },
  errors: {
    404: "There is no booking with this id, or no such passenger on it.",
    409: "The booking is cancelled or not paid yet, or its seats are being changed at this moment.",
  },
} as const satisfies Operation;
