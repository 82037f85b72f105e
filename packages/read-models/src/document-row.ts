import type { DocumentContentType, DocumentKind } from "@travel-booking/domain";

/** A document that is not decided, as `document list` shows it: the review queue. */
export interface DocumentRow {
  readonly id: string;
  readonly bookingId: string;
  readonly accountId: string;
  readonly kind: DocumentKind;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly status: "pending";
  /** Who has to look at it next. */
  readonly awaits: "reviewer" | "operator";
  /** ISO 8601, UTC. */
  readonly uploadedAt: string;
}
