import type { Operation } from "../operation.ts";
import { bookingSchema } from "../resources/booking.ts";
import { travelDocumentListSchema, uploadDocumentSchema } from "../resources/travel-document.ts";

const NO_BOOKING = { 404: "There is no booking with this id." };

export const uploadDocumentOperation = {
  id: "uploadDocument",
  method: "POST",
  path: "/v1/bookings/{id}/documents",
  service: "command",
  tag: "Documents",
  summary: "Upload a travel document",
  description:
    "Takes one file: a passport or visa scan as PDF, PNG or JPEG, told apart by its first bytes, of 10,485,760 bytes at most. It is reviewed right after; what the reviewer can't read waits for an operator. A document of a cancelled booking is kept for the record.",
  scope: "bookings:write",
  body: uploadDocumentSchema,
  bodyType: "multipart",
  idempotencyKey: "accepted",
  success: { status: 201, body: bookingSchema },
  errors: {
    ...NO_BOOKING,
    422: "The booking has a hundred documents already, or the Idempotency-Key was already used with a different request.",
  },
  beta: true,
} as const satisfies Operation;

export const listDocumentsOperation = {
  id: "listDocuments",
  method: "GET",
  path: "/v1/bookings/{id}/documents",
  service: "query",
  tag: "Documents",
  summary: "List the travel documents of a booking, oldest first",
  scope: "bookings:read",
  success: { status: 200, body: travelDocumentListSchema },
  errors: NO_BOOKING,
} as const satisfies Operation;
