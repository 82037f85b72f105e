import { timestamp } from "@travel-booking/api-contract/bodies";
import { type ExistingBooking, findDocument } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, BOOKINGS, type DocumentRow, type RecordedBookingEvent } from "@travel-booking/read-models";
import { wholeDocument } from "../../projection.ts";
import type { CreatedAt } from "./transfer-writes.ts";

const { model, oldest } = BOOKINGS.document;

/** What an event changes of the review queue: a document is in it until it is decided. `booking`: after the event. */
export function documentWrites(booking: ExistingBooking, event: RecordedBookingEvent, createdAt: CreatedAt): Write[] {
  const document = "documentId" in event.data ? findDocument(booking, event.data.documentId) : undefined;
  if (document === undefined) return [];
  const { documentId: id, kind, fileName, contentType, sizeBytes, status, awaits, uploadedAt } = document;
  const { position } = event;
  const created = createdAt(id);
  const indexes = { [oldest]: { partition: ALL_PARTITION, sort: positionSort(created) } };
  if (status !== "pending" || awaits === null) {
    return [{ kind: "delete", model, key: id, position, fixed: { created, indexes } }];
  }
  const { bookingId, accountId } = booking;
  const row: DocumentRow = {
    id,
    bookingId,
    accountId,
    kind,
    fileName,
    contentType,
    sizeBytes,
    status,
    awaits,
    uploadedAt: timestamp(uploadedAt),
  };
  return [wholeDocument(model, { key: id, position, created, body: JSON.stringify(row), indexes })];
}
