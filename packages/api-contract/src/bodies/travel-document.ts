import type { TravelDocument } from "@travel-booking/domain";
import type { TravelDocumentBody } from "../resources/travel-document.ts";
import { timestamp } from "./timestamp.ts";

export function travelDocumentBody(document: TravelDocument): TravelDocumentBody {
  const { documentId: id, kind, fileName, contentType, sizeBytes, status, rejectionReason, uploadedAt } = document;
  return { id, kind, fileName, contentType, sizeBytes, status, rejectionReason, uploadedAt: timestamp(uploadedAt) };
}
