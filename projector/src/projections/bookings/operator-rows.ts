import { isDeepStrictEqual } from "node:util";
import { timestamp, travelDocumentBody } from "@travel-booking/api-contract/bodies";
import {
  amountOutstanding,
  type BookingState,
  bankTransferOf,
  type ExistingBooking,
  hasFailed,
  isExistingBooking,
  type Payment,
} from "@travel-booking/domain";
import {
  ALL_PARTITION,
  BOOKINGS,
  type DisputeRow,
  type DocumentRow,
  type ExpectedTransferRow,
  type RecordedBookingEvent,
  type RefundRow,
  type RejectedDocumentRow,
  type TransferRow,
  timeSortKey,
} from "@travel-booking/read-models";
import type { Change, DocumentPut } from "../../projection.ts";

const { transfer, expectedTransfer, refund, dispute, document, rejectedDocument } = BOOKINGS;

/** The rows of a booking, by model and id. */
type OperatorRows = ReadonlyMap<string, DocumentPut>;

/** The rows of a booking for operators: bank transfers, refunds, disputes, and pending or rejected documents. */
export function operatorRows(booking: BookingState, { at }: RecordedBookingEvent): OperatorRows {
  if (!isExistingBooking(booking)) return new Map();
  const rows = [
    ...booking.payments.flatMap((payment) => [...rowsOfPayment(booking, payment, at)]),
    ...returnsOf(booking),
    ...documentsOf(booking),
  ];
  return new Map(rows.map((row) => [`${row.model}/${row.key}`, row]));
}

/**
 * The changes that make `after` from `before`. The row of a reversed entry is written once: by now another booking may have it.
 * @param all also of rows that did not change, because their words have another key. Disputes have none.
 */
export function changedRows(before: OperatorRows, after: OperatorRows, all = false): readonly Change[] {
  const gone = [...before].filter(([name]) => !after.has(name));
  const changed = [...after].filter(([name, row]) => {
    const former = before.get(name);
    if (isReversed(row) && isReversed(former)) return false;
    return (all && row.model !== dispute.model) || !isDeepStrictEqual(row.body, former?.body);
  });
  return [
    ...gone.map(([, { model, key }]): Change => ({ kind: "delete", model, key })),
    ...changed.map(([, row]) => row),
  ];
}

const isReversed = (row: DocumentPut | undefined) => (row?.body as Partial<TransferRow>)?.status === "reversed";

/** A row for operators, in a list by time, then id. */
export function listed(model: string, index: string, at: number, row: { readonly id: string }): DocumentPut {
  const indexes = { [index]: { partition: ALL_PARTITION, sort: timeSortKey(at, row.id) } };
  return { kind: "put", model, key: row.id, body: row, indexes };
}

/** @param changedAt the time of the last change of its disputes */
function* rowsOfPayment(
  { bookingId, accountId }: ExistingBooking,
  payment: Payment,
  changedAt: number,
): Generator<DocumentPut> {
  const { paymentId, status, entries, createdAt } = payment;
  // Before the entries, since one that was recorded anew has the same row.
  for (const { entryId: id, reference, amount, currency, reason, receivedAt: at } of payment.reversed ?? []) {
    const ids = { id, reference, paymentId, bookingId, accountId };
    const row: TransferRow = { ...ids, amount, currency, status: "reversed", reason, createdAt: timestamp(at) };
    yield listed(transfer.model, transfer.newest, at, row);
  }
  for (const { entryId: id, reference, applied: amount, currency, receivedAt: at } of entries) {
    // The entries of a failed payment are returned in full.
    if (amount === 0 || status === "failed") continue;
    const ids = { id, reference, paymentId, bookingId, accountId };
    const shown = status === "succeeded" ? "applied" : "partial";
    const row: TransferRow = { ...ids, amount, currency, status: shown, createdAt: timestamp(at) };
    yield listed(transfer.model, transfer.newest, at, row);
  }
  const bankTransfer = bankTransferOf(payment);
  if (bankTransfer !== undefined && status === "pending") {
    const ids = { id: paymentId, reference: bankTransfer.reference, bookingId, accountId };
    const money = { amount: amountOutstanding(payment), currency: payment.currency };
    const row: ExpectedTransferRow = { ...ids, ...money, createdAt: timestamp(createdAt) };
    yield listed(expectedTransfer.model, expectedTransfer.oldest, createdAt, row);
  }
  for (const due of payment.refunds) {
    const { refundId: id, amount, currency, failure, createdAt: at } = due;
    if (due.status === "succeeded") continue;
    const ids = { id, paymentId, bookingId, accountId };
    const state = hasFailed(due)
      ? ({ status: "failed", failureReason: failure?.reason ?? null } as const)
      : ({ status: "pending", failureReason: null } as const);
    const row: RefundRow = { ...ids, amount, currency, ...state, createdAt: timestamp(at) };
    yield listed(refund.model, refund.oldest, at, row);
  }
  for (const { disputeId: id, amount, currency, reason, status } of payment.disputes) {
    const ids = { id, paymentId, bookingId, accountId };
    const row: DisputeRow = { ...ids, amount, currency, reason, status, changedAt: timestamp(changedAt) };
    yield listed(dispute.model, dispute.oldest, changedAt, row);
  }
}

function returnsOf({ bookingId, accountId, payments, returns }: ExistingBooking): readonly DocumentPut[] {
  const entries = payments.flatMap((payment) => payment.entries);
  return returns.map(({ returnId: id, entryId, paymentId, amount, currency, status, createdAt: at }) => {
    const reference = entries.find((entry) => entry.entryId === entryId)?.reference ?? "";
    const ids = { id, reference, paymentId, bookingId, accountId };
    const shown = status === "sent" ? "returned" : "to_return";
    const row: TransferRow = { ...ids, amount, currency, status: shown, createdAt: timestamp(at) };
    return listed(transfer.model, transfer.newest, at, row);
  });
}

/** A document is in the review queue until it is decided. Rejected documents have a list of their own. */
function documentsOf({ bookingId, accountId, documents }: ExistingBooking): readonly DocumentPut[] {
  return documents.flatMap((one) => {
    const { status, awaits, uploadedAt: at } = one;
    const { rejectionReason, ...shown } = travelDocumentBody(one);
    const ids = { bookingId, accountId };
    if (status === "pending" && awaits !== null) {
      const row: DocumentRow = { ...shown, ...ids, status, awaits };
      return [listed(document.model, document.oldest, at, row)];
    }
    if (status !== "rejected" || rejectionReason === null) return [];
    const row: RejectedDocumentRow = { ...shown, ...ids, status, rejectionReason };
    return [listed(rejectedDocument.model, rejectedDocument.oldest, at, row)];
  });
}
