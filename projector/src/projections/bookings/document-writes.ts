import { travelDocumentBody } from "@travel-booking/api-contract/bodies";
import { documentsOf, type TravelDocument } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import { BOOKINGS, type DocumentRow } from "@travel-booking/read-models";
import { type BookingChange, rowDelete, rowWrite } from "./row-writes.ts";

const { model, oldest } = BOOKINGS.document;

/**
 * What an event changes of the review queue: a document is in it until it is decided. An erasure changes all documents of
 * its booking.
 */
export function documentWrites(change: BookingChange): Write[] {
  const { type, data } = change.event;
  const documents = documentsOf(change.booking);
  const changed =
    type === "BookingErased"
      ? documents
      : documents.filter(({ documentId }) => "documentId" in data && documentId === data.documentId);
  return changed.map((document) => documentWrite(change, document));
}

function documentWrite(change: BookingChange, document: TravelDocument): Write {
  const { documentId, status, awaits, uploadedAt } = document;
  if (status !== "pending" || awaits === null) return rowDelete(change, model, documentId);
  const { bookingId, accountId } = change.booking;
  const { rejectionReason: _, ...shown } = travelDocumentBody(document);
  const row: DocumentRow = { ...shown, bookingId, accountId, status, awaits };
  return rowWrite(change, [model, oldest], row, uploadedAt);
}
