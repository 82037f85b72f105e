import { travelDocumentBody } from "@travel-booking/api-contract/bodies";
import { findDocument } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import { BOOKINGS, type DocumentRow } from "@travel-booking/read-models";
import { type BookingChange, rowDelete, rowWrite } from "./row-writes.ts";

const { model, oldest } = BOOKINGS.document;

/** What an event changes of the review queue: a document is in it until it is decided. */
export function documentWrites(change: BookingChange): Write[] {
  const { data } = change.event;
  const document = "documentId" in data ? findDocument(change.booking, data.documentId) : undefined;
  if (document === undefined) return [];
  const { documentId, status, awaits, uploadedAt } = document;
  if (status !== "pending" || awaits === null) return [rowDelete(change, model, documentId)];
  const { bookingId, accountId } = change.booking;
  const { rejectionReason: _, ...shown } = travelDocumentBody(document);
  const row: DocumentRow = { ...shown, bookingId, accountId, status, awaits };
  return [rowWrite(change, [model, oldest], row, uploadedAt)];
}
