import { bookingBody, paymentBody, timestamp } from "@travel-booking/api-contract";
import { type ExistingBooking, nextEventDueAt, type Payment } from "@travel-booking/domain";
import { positionSort, type Write } from "@travel-booking/engines/read-store";
import { ALL_PARTITION, type DocumentRow, ownedKey, timeSortKey } from "@travel-booking/read-models";
import { wholeDocument } from "../../src/projection.ts";
import { BOOKINGS } from "./models.ts";
import type { CreatedAt } from "./transfer-writes.ts";

function bookingWrite(booking: ExistingBooking, created: bigint, position: bigint): Write {
  const { accountId, bookingId, status } = booking;
  const { model, byAccount } = BOOKINGS.booking;
  return wholeDocument(model, {
    key: ownedKey(accountId, bookingId),
    position,
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

function paymentWrite(booking: ExistingBooking, payment: Payment, created: bigint, position: bigint): Write {
  return wholeDocument(BOOKINGS.payment.model, {
    key: ownedKey(booking.accountId, payment.paymentId),
    position,
    created,
    body: JSON.stringify(paymentBody(booking, payment)),
    staleAt: changesByTime(payment) ? nextEventDueAt(booking) : null,
  });
}

/** A booking and its payments. A body is valid until `staleAt`; later readers make it from the state. */
export function currentWrites(
  booking: ExistingBooking,
  created: bigint,
  createdAt: CreatedAt,
  position: bigint,
): Write[] {
  return [
    bookingWrite(booking, created, position),
    ...booking.payments.map((payment) => paymentWrite(booking, payment, createdAt(payment.paymentId), position)),
  ];
}

/** The review queue: a document is in it until it is decided. */
export function documentWrites(booking: ExistingBooking, position: bigint): Write[] {
  const { accountId, bookingId, documents } = booking;
  const { model, oldest } = BOOKINGS.document;
  return documents.map((document): Write => {
    const { documentId: id, kind, fileName, contentType, sizeBytes, status, awaits, uploadedAt } = document;
    if (status !== "pending" || awaits === null) return { kind: "delete", model, key: id, position };
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
      position,
      body: JSON.stringify(row),
      indexes: { [oldest]: { partition: ALL_PARTITION, sort: `${timeSortKey(uploadedAt)}/${id}` } },
    });
  });
}
