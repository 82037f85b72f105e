import type { Instant } from "../../shared/decision.ts";
import type { DocumentKind } from "../../travel-document/kind.ts";
import type { DocumentContentType } from "./events.ts";

export const DOCUMENT_STATUSES = ["pending", "verified", "rejected"] as const;
export type DocumentStatus = (typeof DOCUMENT_STATUSES)[number];

/** Whose a verified document is. Passengers may be renamed later: the document is not the new one's. */
export interface DocumentHolder {
  /** 0-based place on the booking. */
  readonly passenger: number;
  /** As it was when the document was verified. */
  readonly name: string;
}

/** A document of a booking. Plain JSON, as all of a booking's state. */
export interface TravelDocument {
  readonly documentId: string;
  /** Under which the file is stored. */
  readonly uploadId: string;
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly uploadedAt: Instant;
  kind: DocumentKind;
  status: DocumentStatus;
  /** Null unless rejected. */
  rejectionReason: string | null;
  /** Who has to look at it next; null once it is decided. */
  awaits: "reviewer" | "operator" | null;
  /** Empty unless verified. */
  holders: readonly DocumentHolder[];
}
