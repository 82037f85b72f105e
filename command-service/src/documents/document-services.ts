import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";
import type { UploadStore } from "./uploads.ts";

/** What commands about travel documents work with. */
export interface DocumentServices {
  readonly uploads: Pick<UploadStore, "begin" | "store" | "read" | "complete" | "discard" | "listBegunBefore">;
  readonly reviewer: Reviewer;
}

export interface Reviewer {
  /**
   * Reads a document's file.
   * @throws Error it took too long or too much, or nothing can be read at the moment.
   */
  read(content: Uint8Array, contentType: DocumentContentType): Promise<DocumentReading>;
}
