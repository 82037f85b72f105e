import { DOCUMENT_CONTENT_TYPES, DOCUMENT_KINDS, DOCUMENT_STATUSES, MAX_DOCUMENTS } from "@travel-booking/domain";
import { z } from "zod";
import { wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";

/** 10 MB (docs/rules.md#document-upload). */
const MAX_FILE = 10_485_760;

export const travelDocumentSchema = strictObject({
  id: outputId.describe("Identifies the document."),
  kind: oneOf(DOCUMENT_KINDS).describe("What it is, detected from the scan; `unknown` until it is."),
  fileName: outputText(255).describe("As uploaded, without folders and what can't be seen."),
  contentType: oneOf(DOCUMENT_CONTENT_TYPES).describe("What kind of file it is, by its bytes."),
  sizeBytes: wholeNumber.min(1).max(MAX_FILE).describe("The size of the file in bytes."),
  status: oneOf(DOCUMENT_STATUSES).describe("What became of the review; boarding needs a verified passport."),
  rejectionReason: outputText(500).nullable().describe("Null unless the status is `rejected`."),
  uploadedAt: utcDateTime.describe("When it was uploaded."),
}).meta({ id: "TravelDocument", description: "A scan of a passport or visa, and what became of its review." });
export type TravelDocumentBody = z.infer<typeof travelDocumentSchema>;

/** Oldest first, in one piece. */
export const travelDocumentListSchema = strictObject({
  data: z.array(travelDocumentSchema).max(MAX_DOCUMENTS).describe("All of them, oldest first."),
});

/** The parts of an upload: one file, and nothing else. What it is is told by its first bytes. */
export const uploadDocumentSchema = strictObject({
  file: z
    .file({ error: "is required" })
    .meta({ maxLength: MAX_FILE, description: "A passport or visa scan: PDF, PNG or JPEG, up to 10 MB." }),
});
