import { timestamp } from "@travel-booking/api-contract";
import { bankTransferOf, type ExistingBooking, type Payment } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  type TransferRow,
  type TransferTarget,
  timeSortKey,
  transferReferenceKey,
} from "@travel-booking/read-models";
import { wholeDocument } from "../../src/projection.ts";
import { BOOKINGS } from "./models.ts";

/** The log position at which an object of the booking was created. */
export type CreatedAt = (id: string) => bigint;

function rowWrite(row: TransferRow, position: bigint): Write {
  const { model, newest } = BOOKINGS.transfer;
  return wholeDocument(model, {
    key: row.id,
    position,
    body: JSON.stringify(row),
    indexes: { [newest]: { partition: ALL_PARTITION, sort: `${timeSortKey(Date.parse(row.createdAt))}/${row.id}` } },
  });
}

/** The entries of a payment. Those of a failed payment are returned in full: their rows are deleted. */
function entryWrites({ bookingId, accountId }: ExistingBooking, payment: Payment, position: bigint): Write[] {
  const { paymentId, status } = payment;
  return payment.entries
    .filter((entry) => entry.applied > 0)
    .map((entry): Write => {
      const { entryId: id, reference, applied: amount, currency, receivedAt } = entry;
      if (status === "failed") return { kind: "delete", model: BOOKINGS.transfer.model, key: id, position };
      const row: TransferRow = {
        id,
        reference,
        paymentId,
        bookingId,
        accountId,
        amount,
        currency,
        status: status === "succeeded" ? "applied" : "partial",
        createdAt: timestamp(receivedAt),
      };
      return rowWrite(row, position);
    });
}

function returnWrites(booking: ExistingBooking, position: bigint): Write[] {
  const references = new Map(
    booking.payments.flatMap(({ entries }) => entries.map(({ entryId, reference }) => [entryId, reference])),
  );
  return booking.returns.map((transferReturn) => {
    const { returnId: id, entryId, paymentId, amount, currency } = transferReturn;
    const row: TransferRow = {
      id,
      reference: references.get(entryId) ?? "",
      paymentId,
      bookingId: booking.bookingId,
      accountId: booking.accountId,
      amount,
      currency,
      status: transferReturn.status === "sent" ? "returned" : "to_return",
      createdAt: timestamp(transferReturn.createdAt),
    };
    return rowWrite(row, position);
  });
}

function referenceWrite(booking: ExistingBooking, payment: Payment, createdAt: CreatedAt, position: bigint): Write[] {
  const transfer = bankTransferOf(payment);
  if (transfer === undefined) return [];
  const { accountId, bookingId } = booking;
  const { paymentId } = payment;
  const state: TransferTarget = { accountId, bookingId, paymentId };
  const key = transferReferenceKey(transfer.reference);
  return [wholeDocument(BOOKINGS.transferReference.model, { key, position, created: createdAt(paymentId), state })];
}

/** The bank transfers of a booking as operators see them. */
export function transferWrites(booking: ExistingBooking, createdAt: CreatedAt, position: bigint): Write[] {
  return [
    ...booking.payments.flatMap((payment) => [
      ...referenceWrite(booking, payment, createdAt, position),
      ...entryWrites(booking, payment, position),
    ]),
    ...returnWrites(booking, position),
  ];
}
