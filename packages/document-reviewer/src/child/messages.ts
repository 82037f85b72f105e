import type { DocumentContentType, DocumentReading } from "@travel-booking/domain";

/** What the reviewing process is asked. */
export interface ReadRequest {
  readonly id: number;
  readonly content: Uint8Array;
  readonly contentType: DocumentContentType;
}

/** What it answers: a reading, or that it could not. */
export type ReadResponse =
  | { readonly id: number; readonly reading: DocumentReading }
  | { readonly id: number; readonly failed: string };
