import { bookingBody, paymentBody, timestamp } from "@travel-booking/api-contract";
import { type ExistingBooking, nextEventDueAt, type Payment } from "@travel-booking/domain";
import { positionSort } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, type DocumentRow, ownedKey, timeSortKey } from "@travel-booking/read-models";
import type { Change, DocumentPut } from "../../src/projection.ts";
import { BOOKINGS, wholeDocument } from "./models.ts";
import type { CreatedAt } from "./transfer-writes.ts";

function bookingWrite(booking: ExistingBooking, created: bigint): DocumentPut {
  const { accountId, bookingId, status } = booking;
  const { model, byAccount } = BOOKINGS.booking;
  return wholeDocument(model, {
    key: ownedKey(accountId, bookingId),
    created,
    body: JSON.stringify(bookingBody(booking)),
    indexes: { [byAccount]: { partition: accountId, sort: positionSort(created) } },
    // Only a pending booking changes by time alone; later only refunds do, which a booking does not show.
    staleAt: status === "pending" ? nextEventDueAt(booking) : null,
  });
}

/** A payment that is settled, including its refunds, no longer changes by time. */
function changesByTime({ status, refunds }: Payment): boolean {
  return status === "pending" || refunds.some((refund) => refund.status === "pending");
}

function paymentWrite(booking: ExistingBooking, payment: Payment, created: bigint): DocumentPut {
  return wholeDocument(BOOKINGS.payment.model, {
    key: ownedKey(booking.accountId, payment.paymentId),
    created,
    body: JSON.stringify(paymentBody(booking, payment)),
    staleAt: changesByTime(payment) ? nextEventDueAt(booking) : null,
  });
}

/** A booking and its payments. A body is valid until `staleAt`; later readers make it from the state. */
export function currentWrites(booking: ExistingBooking, created: bigint, createdAt: CreatedAt): Change[] {
  return [
    bookingWrite(booking, created),
    ...booking.payments.map((payment) => paymentWrite(booking, payment, createdAt(payment.paymentId))),
  ];
}

/** The review queue: a document is in it until it is decided. */
export function documentWrites(booking: ExistingBooking): Change[] {
  const { accountId, bookingId, documents } = booking;
  const { model, oldest } = BOOKINGS.document;
  return documents.map((document): Change => {
    const { documentId: id, kind, fileName, contentType, sizeBytes, status, awaits, uploadedAt } = document;
    if (status !== "pending" || awaits === null) return { kind: "delete", model, key: id };
    const row: DocumentRow = {
      id,
      kind,
      fileName,
      contentType,
      sizeBytes,
      status,
      uploadedAt: timestamp(uploadedAt),
      bookingId,
      accountId,
      awaits,
    };
    return wholeDocument(model, {
      key: id,
      body: JSON.stringify(row),
      indexes: { [oldest]: { partition: ALL_PARTITION, sort: `${timeSortKey(uploadedAt)}/${id}` } },
    });
  });
}
