import { type BookingState, isExistingBooking } from "../state.ts";
import type { TravelDocument } from "./travel-document.ts";

/** Oldest first. */
export function documentsOf(state: BookingState): readonly TravelDocument[] {
  return isExistingBooking(state) ? state.documents : [];
}

export function findDocument(state: BookingState, documentId: string): TravelDocument | undefined {
  return documentsOf(state).find((document) => document.documentId === documentId);
}

/**
 * A document known to be there, as after the command that recorded it.
 * @throws Error it is not.
 */
export function documentOf(state: BookingState, documentId: string): TravelDocument {
  const document = findDocument(state, documentId);
  if (document === undefined) throw new Error(`the booking has no document ${documentId}`);
  return document;
}

/** Whether the booking has a document whose file is stored under this id. */
export function hasUpload(state: BookingState, uploadId: string): boolean {
  return documentsOf(state).some((document) => document.uploadId === uploadId);
}
