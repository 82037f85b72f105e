import { assertNever } from "../../shared/assert-never.ts";
import type { ExistingBooking } from "../state.ts";
import type { DocumentEvent, DocumentUploaded } from "./events.ts";
import { documentOf } from "./lookups.ts";
import type { TravelDocument } from "./travel-document.ts";

/** Folds what happened to the documents of a booking into it, in place. */
export function evolveDocuments(booking: ExistingBooking, event: DocumentEvent): void {
  switch (event.type) {
    case "DocumentUploaded":
      booking.documents.push(uploaded(event));
      return;
    case "DocumentVerified": {
      const { documentId, kind, passengers } = event.data;
      const holders = passengers.map((passenger) => ({ passenger, name: booking.passengers[passenger]?.name ?? "" }));
      applyReviewResult(booking, documentId, {
        kind,
        status: "verified",
        rejectionReason: null,
        awaits: null,
        holders,
      });
      return;
    }
    case "DocumentRejected": {
      const { documentId, kind, reason } = event.data;
      applyReviewResult(booking, documentId, {
        kind,
        status: "rejected",
        rejectionReason: reason,
        awaits: null,
        holders: [],
      });
      return;
    }
    case "DocumentLeftToOperator": {
      const document = documentOf(booking, event.data.documentId);
      document.kind = event.data.kind;
      document.awaits = "operator";
      return;
    }
    case "UploadClosed":
      booking.uploadsClosed.push(event.data.uploadId);
      return;
    default:
      assertNever(event);
  }
}

function uploaded({ at, data }: DocumentUploaded): TravelDocument {
  const { documentId, uploadId, fileName, contentType, sizeBytes } = data;
  return {
    documentId,
    uploadId,
    fileName,
    contentType,
    sizeBytes,
    uploadedAt: at,
    kind: "unknown",
    status: "pending",
    rejectionReason: null,
    awaits: "reviewer",
    holders: [],
  };
}

type ReviewResult = Pick<TravelDocument, "kind" | "status" | "rejectionReason" | "awaits" | "holders">;

function applyReviewResult(booking: ExistingBooking, documentId: string, settled: ReviewResult): void {
  Object.assign(documentOf(booking, documentId), settled);
}
