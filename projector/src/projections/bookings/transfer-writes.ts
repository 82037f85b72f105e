import { timestamp } from "@travel-booking/api-contract/bodies";
import { bankTransferOf, type ExistingBooking, findPayment, type Payment } from "@travel-booking/domain";
import { type Document, positionSort, type Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  type ExpectedTransferRow,
  type RecordedBookingEvent,
  type TransferRow,
  type TransferTarget,
  transferReferenceKey,
} from "@travel-booking/read-models";
import { wholeDocument } from "../../projection.ts";

/** The log position at which an object of the booking was created. */
export type CreatedAt = (id: string) => bigint;

const { model, newest } = BOOKINGS.transfer;

function rowWrite(row: TransferRow, created: bigint, position: bigint): Write {
  return wholeDocument(model, {
    key: row.id,
    position,
    created,
    body: JSON.stringify(row),
    indexes: indexesOf(created),
  });
}

function indexesOf(created: bigint): Document["indexes"] {
  return { [newest]: { partition: ALL_PARTITION, sort: positionSort(created) } };
}

/** The entries of a payment. Those of a failed payment are returned in full: their rows are deleted. */
function entryWrites(
  { bookingId, accountId }: ExistingBooking,
  payment: Payment,
  createdAt: CreatedAt,
  position: bigint,
): Write[] {
  const { paymentId, status } = payment;
  return payment.entries
    .filter((entry) => entry.applied > 0)
    .map((entry): Write => {
      const { entryId: id, reference, applied: amount, currency, receivedAt } = entry;
      const created = createdAt(id);
      if (status === "failed") {
        return { kind: "delete", model, key: id, position, fixed: { created, indexes: indexesOf(created) } };
      }
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
      return rowWrite(row, created, position);
    });
}

function returnWrites(booking: ExistingBooking, returnId: string, createdAt: CreatedAt, position: bigint): Write[] {
  return booking.returns
    .filter((due) => due.returnId === returnId)
    .map(({ entryId, paymentId, amount, currency, status, createdAt: at }) => {
      const entries = booking.payments.flatMap((payment) => payment.entries);
      const row: TransferRow = {
        id: returnId,
        reference: entries.find((entry) => entry.entryId === entryId)?.reference ?? "",
        paymentId,
        bookingId: booking.bookingId,
        accountId: booking.accountId,
        amount,
        currency,
        status: status === "sent" ? "returned" : "to_return",
        createdAt: timestamp(at),
      };
      return rowWrite(row, createdAt(returnId), position);
    });
}

function referenceWrite({ accountId, bookingId }: ExistingBooking, payment: Payment, position: bigint): Write[] {
  const transfer = bankTransferOf(payment);
  if (transfer === undefined) return [];
  const state: TransferTarget = { accountId, bookingId, paymentId: payment.paymentId };
  const key = transferReferenceKey(transfer.reference);
  return [wholeDocument(BOOKINGS.transferReference.model, { key, position, state })];
}

/** The part of a payment that has not arrived, until nothing more is awaited. */
function expectedWrite(
  { bookingId, accountId, currency }: ExistingBooking,
  payment: Payment,
  createdAt: CreatedAt,
  position: bigint,
): Write[] {
  const transfer = bankTransferOf(payment);
  if (transfer === undefined) return [];
  const { paymentId: id, status, amount, entries } = payment;
  const { model: expected, oldest } = BOOKINGS.expectedTransfer;
  const created = createdAt(id);
  const indexes = { [oldest]: { partition: ALL_PARTITION, sort: positionSort(created) } };
  if (status !== "pending")
    return [{ kind: "delete", model: expected, key: id, position, fixed: { created, indexes } }];
  const row: ExpectedTransferRow = {
    id,
    reference: transfer.reference,
    bookingId,
    accountId,
    amount: amount - entries.reduce((sum, { applied }) => sum + applied, 0),
    currency,
    createdAt: timestamp(payment.createdAt),
  };
  return [wholeDocument(expected, { key: id, position, created, body: JSON.stringify(row), indexes })];
}

/** What an event changes of the bank transfers of its booking, as operators see them. `booking`: after the event. */
export function transferWrites(booking: ExistingBooking, event: RecordedBookingEvent, createdAt: CreatedAt): Write[] {
  const { position } = event;
  switch (event.type) {
    case "PaymentStarted":
    case "PaymentSucceeded":
    case "PaymentFailed":
    case "TransferReceived": {
      const payment = findPayment(booking, event.data.paymentId);
      if (payment === undefined) return [];
      const expected = expectedWrite(booking, payment, createdAt, position);
      if (event.type === "PaymentStarted") return [...referenceWrite(booking, payment, position), ...expected];
      return [...entryWrites(booking, payment, createdAt, position), ...expected];
    }
    case "ReturnDue":
    case "ReturnSent":
      return returnWrites(booking, event.data.returnId, createdAt, position);
    default:
      return [];
  }
}
