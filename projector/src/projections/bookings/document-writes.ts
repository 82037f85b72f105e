import { timestamp } from "@travel-booking/api-contract";
import type { ExistingBooking } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, BOOKINGS, type DocumentRow } from "@travel-booking/read-models";
import { wholeDocument } from "../whole-document.ts";
import type { CreatedAt } from "./transfer-writes.ts";

/** The review queue: a document stands in it until it is decided. */
export function documentWrites(booking: ExistingBooking, createdAt: CreatedAt, position: bigint): Write[] {
  const { accountId, bookingId, documents } = booking;
  const { model, oldest } = BOOKINGS.document;
  return documents.map((document): Write => {
    const { documentId: id, kind, fileName, contentType, sizeBytes, status, awaits, uploadedAt } = document;
    if (status !== "pending" || awaits === null) return { kind: "delete", model, key: id, position };
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
    const created = createdAt(id);
    return wholeDocument(model, {
      key: id,
      position,
      created,
      body: JSON.stringify(row),
      indexes: { [oldest]: { partition: ALL_PARTITION, sort: positionSort(created) } },
    });
  });
}
