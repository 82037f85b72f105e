import { timestamp } from "@travel-booking/api-contract";
import { bankTransferOf, type ExistingBooking, type Payment, returnIdOf } from "@travel-booking/domain";
import { ALL_PARTITION, type TransferRow, type TransferTarget, timeSortKey } from "@travel-booking/read-models";
import type { Change, DocumentPut } from "../../src/projection.ts";
import { BOOKINGS, wholeDocument } from "./models.ts";

/** The log position at which an object of the booking was created. */
export type CreatedAt = (id: string) => bigint;

function rowWrite(row: TransferRow): DocumentPut {
  const { model, newest } = BOOKINGS.transfer;
  return wholeDocument(model, {
    key: row.id,
    body: JSON.stringify(row),
    indexes: { [newest]: { partition: ALL_PARTITION, sort: `${timeSortKey(Date.parse(row.createdAt))}/${row.id}` } },
  });
}

/** Entries that were taken back, with what was due of them for return. */
function reversedWrites({ bookingId, accountId }: ExistingBooking, payment: Payment): Change[] {
  const { paymentId, reversed = [] } = payment;
  return reversed.flatMap(({ entryId: id, reference, amount, currency, reason, receivedAt }): Change[] => {
    const money = { amount, currency, status: "reversed", reason } as const;
    const row: TransferRow = {
      id,
      reference,
      paymentId,
      bookingId,
      accountId,
      ...money,
      createdAt: timestamp(receivedAt),
    };
    return [rowWrite(row), { kind: "delete", model: BOOKINGS.transfer.model, key: returnIdOf(bookingId, id) }];
  });
}

/** The entries of a payment. Those of a failed payment are returned in full: their rows are deleted. */
function entryWrites({ bookingId, accountId }: ExistingBooking, payment: Payment): Change[] {
  const { paymentId, status } = payment;
  return payment.entries
    .filter((entry) => entry.applied > 0)
    .map((entry): Change => {
      const { entryId: id, reference, applied: amount, currency, receivedAt } = entry;
      if (status === "failed") return { kind: "delete", model: BOOKINGS.transfer.model, key: id };
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
      return rowWrite(row);
    });
}

function returnWrites(booking: ExistingBooking): Change[] {
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
    return rowWrite(row);
  });
}

function referenceWrite(booking: ExistingBooking, payment: Payment, createdAt: CreatedAt): Change[] {
  const transfer = bankTransferOf(payment);
  if (transfer === undefined) return [];
  const { accountId, bookingId } = booking;
  const { paymentId } = payment;
  const state: TransferTarget = { accountId, bookingId, paymentId };
  const key = transfer.reference;
  return [wholeDocument(BOOKINGS.transferReference.model, { key, created: createdAt(paymentId), state })];
}

/** The bank transfers of a booking as operators see them. */
export function transferWrites(booking: ExistingBooking, createdAt: CreatedAt): Change[] {
  return [
    ...booking.payments.flatMap((payment) => [
      ...referenceWrite(booking, payment, createdAt),
      ...reversedWrites(booking, payment),
      ...entryWrites(booking, payment),
    ]),
    ...returnWrites(booking),
  ];
}
