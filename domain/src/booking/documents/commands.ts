import type { DocumentKind } from "../../travel-document/kind.ts";
import type { DocumentReading } from "../../travel-document/reading.ts";
import type { DocumentContentType } from "./events.ts";

/** Records a document whose file is stored whole. */
export interface UploadDocument {
  readonly type: "UploadDocument";
  readonly accountId: string;
  readonly documentId: string;
  readonly uploadId: string;
  /** As the client named it. */
  readonly fileName: string;
  readonly contentType: DocumentContentType;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** What the reviewer found in a document's file. */
export interface RecordDocumentReading {
  readonly type: "RecordDocumentReading";
  readonly documentId: string;
  readonly reading: DocumentReading;
}

/** An operator has looked. What is absent is concluded from what is known. */
export interface VerifyDocument {
  readonly type: "VerifyDocument";
  readonly documentId: string;
  readonly kind?: DocumentKind;
  /** 0-based place on the booking. */
  readonly passenger?: number;
}

export interface RejectDocument {
  readonly type: "RejectDocument";
  readonly documentId: string;
  readonly reason: string;
}

/** Before a file that no document was recorded for is removed: none may be recorded any more. */
export interface CloseUpload {
  readonly type: "CloseUpload";
  readonly uploadId: string;
}

export type DocumentCommand = UploadDocument | RecordDocumentReading | VerifyDocument | RejectDocument | CloseUpload;
