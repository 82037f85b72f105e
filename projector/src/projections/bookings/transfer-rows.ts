import { timestamp } from "@travel-booking/api-contract";
import { type ExistingBooking, type Payment, paymentOf, type TransferEntry, type TransferReturn } from "@travel-booking/domain";
import { ALL, BOOKINGS, type TransferRow, timeSort } from "@travel-booking/read-models";
import type { Write } from "@travel-booking/read-store";
import type { VisibleBookingEvent } from "./history-type.ts";

/** The row of what an entry paid for. */
function entryRow(bookingId: string, { paymentId, status }: Payment, entry: TransferEntry): TransferRow {
  return {
    id: entry.entryId,
    reference: entry.reference,
    paymentId,
    bookingId,
    amount: entry.applied,
    currency: entry.currency,
    status: status === "succeeded" ? "applied" : "partial",
    createdAt: timestamp(entry.receivedAt),
  };
}

function returnRow(bookingId: string, reference: string, owed: TransferReturn): TransferRow {
  return {
    id: owed.returnId,
    reference,
    paymentId: owed.paymentId,
    bookingId,
    amount: owed.amount,
    currency: owed.currency,
    status: owed.status === "sent" ? "returned" : "to_return",
    createdAt: timestamp(owed.createdAt),
  };
}

/** By time, since a row that becomes another status stays where it is in the list. */
function put(row: TransferRow, at: number, position: bigint): Write {
  const { model, newest } = BOOKINGS.transfer;
  return {
    kind: "put",
    model,
    document: {
      key: row.id,
      position,
      body: JSON.stringify(row),
      state: null,
      indexes: { [newest]: { partition: ALL, sort: `${timeSort(at)}/${row.id}` } },
      staleAt: null,
    },
  };
}

function entryOf(payment: Payment | undefined, entryId: string): TransferEntry | undefined {
  return payment?.entries.find((entry) => entry.entryId === entryId);
}

function returnWrites(booking: ExistingBooking, returnId: string, position: bigint): Write[] {
  const owed = booking.returns.find((each) => each.returnId === returnId);
  if (owed === undefined) return [];
  const payment = paymentOf(booking, owed.paymentId);
  const entry = payment?.entries.find(({ entryId }) => entryId === owed.entryId);
  const write = put(returnRow(booking.bookingId, entry?.reference ?? "", owed), owed.createdAt, position);
  // What a failed payment had been given goes back whole: those cents leave the row of their entry.
  return payment?.status === "failed" && owed.status === "due" && entry !== undefined && entry.applied > 0
    ? [write, { kind: "delete", model: BOOKINGS.transfer.model, key: owed.entryId, position }]
    : [write];
}

/** The rows an event changes; `booking` is as the event left it. */
export function transferWrites(booking: ExistingBooking, event: VisibleBookingEvent, position: bigint): Write[] {
  switch (event.type) {
    case "TransferReceived":
    case "PaymentSucceeded": {
      const payment = paymentOf(booking, event.data.paymentId);
      if (payment === undefined) return [];
      return payment.entries
        .filter((entry) => entry.applied > 0)
        .map((entry) => put(entryRow(booking.bookingId, payment, entry), entry.receivedAt, position));
    }
    case "ReturnDue":
    case "ReturnSent":
      return returnWrites(booking, event.data.returnId, position);
    default:
      return [];
  }
}
