import {
  DOCUMENT_CONTENT_TYPES,
  DOCUMENT_KINDS,
  DOCUMENT_STATUSES,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  MAX_FILE_NAME_LENGTH,
} from "@travel-booking/domain";
import { z } from "zod";
import { outputId, outputText, utcDateTime, wholeNumber } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { bookingSchema, NO_BOOKING } from "./booking.ts";

export const travelDocumentSchema = z
  .strictObject({
    id: outputId.describe("Identifies the document."),
    kind: z
      .enum(DOCUMENT_KINDS)
      .meta({ id: "DocumentKind", description: "What it is, detected from the scan; `unknown` until it is." }),
    fileName: outputText(MAX_FILE_NAME_LENGTH).describe("As uploaded, without folders and what can't be seen."),
    contentType: z
      .enum(DOCUMENT_CONTENT_TYPES)
      .meta({ id: "DocumentContentType", description: "What kind of file it is, by its bytes." }),
    sizeBytes: wholeNumber.min(1).max(MAX_DOCUMENT_BYTES).describe("The size of the file in bytes."),
    status: z
      .enum(DOCUMENT_STATUSES)
      .meta({ id: "DocumentStatus", description: "What became of the review; boarding needs a verified passport." }),
    rejectionReason: outputText(500).nullable().describe("Null unless the status is `rejected`."),
    uploadedAt: utcDateTime.describe("When it was uploaded."),
  })
  .meta({ id: "TravelDocument", description: "A scan of a passport or visa, and what became of its review." });
export type TravelDocumentBody = z.infer<typeof travelDocumentSchema>;

const travelDocumentListSchema = z.strictObject({
  data: z.array(travelDocumentSchema).max(MAX_DOCUMENTS).describe("All of them, oldest first."),
});

const uploadDocumentSchema = z.strictObject({
  file: z
    .file({ error: "is required" })
    .meta({ description: "A passport or visa scan: PDF, PNG or JPEG, up to 10 MB." }),
});

export const uploadDocumentOperation = {
  id: "uploadDocument",
  method: "POST",
  path: "/v1/bookings/{id}/documents",
  service: "command",
  tag: "Documents",
  summary: "Upload a travel document",
  description: `Takes one file: a passport or visa scan as PDF, PNG or JPEG, told apart by its first bytes, of ${MAX_DOCUMENT_BYTES.toLocaleString("en-US")} bytes at most. It is reviewed right after; what the reviewer can't read waits for an operator. A document of a cancelled booking is kept for the record. An account has quotas for the number of its documents and for their bytes together; 403 when one is reached.`,
  scope: "bookings:write",
  body: uploadDocumentSchema,
  bodyType: "multipart",
  idempotencyKey: "accepted",
  success: { status: 201, body: bookingSchema },
  errors: {
    ...NO_BOOKING,
    400: ["invalid_file"],
    403: ["quota_exceeded"],
    422: ["too_many_documents"],
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
