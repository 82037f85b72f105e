import { timestamp } from "@travel-booking/api-contract/bodies";
import { bankTransferOf, findPayment, type Payment } from "@travel-booking/domain";
import type { Write } from "@travel-booking/engines/read-store";
import {
  BOOKINGS,
  type ExpectedTransferRow,
  type TransferRow,
  type TransferTarget,
  transferReferenceKey,
} from "@travel-booking/read-models";
import { wholeDocument } from "../../projection.ts";
import { type BookingChange, rowDelete, rowWrite } from "./row-writes.ts";

const { transfer, expectedTransfer, transferReference } = BOOKINGS;
const TRANSFERS = [transfer.model, transfer.newest] as const;

/** The entries of a payment. Those of a failed payment are returned in full: their rows are deleted. */
function entryWrites(change: BookingChange, { paymentId, status, entries }: Payment): Write[] {
  const { bookingId, accountId } = change.booking;
  return entries
    .filter((entry) => entry.applied > 0)
    .map(({ entryId: id, reference, applied: amount, currency, receivedAt }) => {
      if (status === "failed") return rowDelete(change, transfer.model, id);
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
      return rowWrite(change, TRANSFERS, row, receivedAt);
    });
}

function returnWrites(change: BookingChange, returnId: string): Write[] {
  const { bookingId, accountId, payments, returns } = change.booking;
  return returns
    .filter((due) => due.returnId === returnId)
    .map(({ entryId, paymentId, amount, currency, status, createdAt }) => {
      const entries = payments.flatMap((payment) => payment.entries);
      const row: TransferRow = {
        id: returnId,
        reference: entries.find((entry) => entry.entryId === entryId)?.reference ?? "",
        paymentId,
        bookingId,
        accountId,
        amount,
        currency,
        status: status === "sent" ? "returned" : "to_return",
        createdAt: timestamp(createdAt),
      };
      return rowWrite(change, TRANSFERS, row, createdAt);
    });
}

/** What a started payment is found by, if it is a bank transfer. */
function referenceWrites({ booking, event }: BookingChange, payment: Payment): Write[] {
  const { accountId, bookingId } = booking;
  const bankTransfer = bankTransferOf(payment);
  if (bankTransfer === undefined) return [];
  const state: TransferTarget = { accountId, bookingId, paymentId: payment.paymentId };
  const key = transferReferenceKey(bankTransfer.reference);
  return [wholeDocument(transferReference.model, { key, position: event.position, state })];
}

/** The part of a payment that has not arrived, until nothing more is awaited. */
function expectedWrites(change: BookingChange, payment: Payment): Write[] {
  const { bookingId, accountId, currency } = change.booking;
  const bankTransfer = bankTransferOf(payment);
  if (bankTransfer === undefined) return [];
  const { paymentId: id, status, amount, entries, createdAt } = payment;
  if (status !== "pending") return [rowDelete(change, expectedTransfer.model, id)];
  const row: ExpectedTransferRow = {
    id,
    reference: bankTransfer.reference,
    bookingId,
    accountId,
    amount: amount - entries.reduce((sum, { applied }) => sum + applied, 0),
    currency,
    createdAt: timestamp(createdAt),
  };
  return [rowWrite(change, [expectedTransfer.model, expectedTransfer.oldest], row, createdAt)];
}

/** What an event changes of the bank transfers of its booking, as operators see them. */
export function transferWrites(change: BookingChange): Write[] {
  const { booking, event } = change;
  switch (event.type) {
    case "PaymentStarted":
    case "PaymentSucceeded":
    case "PaymentFailed":
    case "TransferReceived": {
      const payment = findPayment(booking, event.data.paymentId);
      if (payment === undefined) return [];
      const isNew = event.type === "PaymentStarted";
      const changed = isNew ? referenceWrites(change, payment) : entryWrites(change, payment);
      return [...changed, ...expectedWrites(change, payment)];
    }
    case "ReturnDue":
    case "ReturnSent":
      return returnWrites(change, event.data.returnId);
    default:
      return [];
  }
}
