import type { DomainEvent } from "../../shared/decision.ts";
import type { DocumentKind } from "../../travel-document/kind.ts";

/** What a document may be, told from its first bytes. */
export const DOCUMENT_CONTENT_TYPES = ["application/pdf", "image/png", "image/jpeg"] as const;
export type DocumentContentType = (typeof DOCUMENT_CONTENT_TYPES)[number];

/** The file is stored whole, under `uploadId`; from here on it belongs to the booking. */
export type DocumentUploaded = DomainEvent<
  "DocumentUploaded",
  {
    readonly documentId: string;
    readonly uploadId: string;
    readonly fileName: string;
    readonly contentType: DocumentContentType;
    readonly sizeBytes: number;
    /** Of the content, in hexadecimal. */
    readonly sha256: string;
  }
>;

/** The document is what it should be. `passengers`: whose it is, by their 0-based places on the booking. */
export type DocumentVerified = DomainEvent<
  "DocumentVerified",
  { readonly documentId: string; readonly kind: DocumentKind; readonly passengers: readonly number[] }
>;

/** `reason` is for people, and names nobody. */
export type DocumentRejected = DomainEvent<
  "DocumentRejected",
  { readonly documentId: string; readonly kind: DocumentKind; readonly reason: string }
>;

/** The reviewer could not tell: the document waits for an operator. `kind` as far as it was recognised. */
export type DocumentLeftToOperator = DomainEvent<
  "DocumentLeftToOperator",
  { readonly documentId: string; readonly kind: DocumentKind }
>;

/**
 * A file whose document was never recorded is given up: closed against a late one, so that the file can be removed.
 * Changes nothing a client sees.
 */
export type UploadClosed = DomainEvent<"UploadClosed", { readonly uploadId: string }>;

export type DocumentEvent =
  | DocumentUploaded
  | DocumentVerified
  | DocumentRejected
  | DocumentLeftToOperator
  | UploadClosed;
