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
import type { Put, Write } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  BOOKINGS,
  type DisputeRow,
  type DocumentRow,
  type ExpectedTransferRow,
  type RecordedBookingEvent,
  type RefundRow,
  type TransferRow,
  timeSortKey,
} from "@travel-booking/read-models";
import { wholeDocument } from "../../projection.ts";

const { transfer, expectedTransfer, refund, dispute, document } = BOOKINGS;

/** What operators see of an object of a booking, in a list by time, then id. */
interface Listed {
  readonly model: string;
  readonly index: string;
  readonly at: number;
  readonly row: { readonly id: string };
}

/** The rows of a booking, by model and id. */
type OperatorRows = ReadonlyMap<string, Put>;

/** What operators see of a booking after an event: bank transfers, refunds, disputes and the review queue. */
export function operatorRows(booking: BookingState, { at, position }: RecordedBookingEvent): OperatorRows {
  if (!isExistingBooking(booking)) return new Map();
  const listed = [
    ...booking.payments.flatMap((payment) => [...rowsOfPayment(booking, payment, at)]),
    ...returnsOf(booking),
    ...documentsOf(booking),
  ];
  return new Map(
    listed.map(({ model, index, at, row }) => {
      const sort = `${timeSortKey(at)}/${row.id}`;
      const indexes = { [index]: { partition: ALL_PARTITION, sort } };
      const put = wholeDocument(model, { key: row.id, position, body: JSON.stringify(row), indexes });
      return [`${model}/${row.id}`, put];
    }),
  );
}

/** The writes that make `after` of `before`. */
export function changedRows(before: OperatorRows, after: OperatorRows, position: bigint): readonly Write[] {
  const gone = [...before].filter(([name]) => !after.has(name));
  const changed = [...after].filter(([name, { document }]) => document.body !== before.get(name)?.document.body);
  return [
    ...gone.map(([, { model, document }]): Write => ({ kind: "delete", model, key: document.key, position })),
    ...changed.map(([, put]) => put),
  ];
}

/** @param changedAt of its disputes */
function* rowsOfPayment(
  { bookingId, accountId }: ExistingBooking,
  payment: Payment,
  changedAt: number,
): Generator<Listed> {
  const { paymentId, status, entries, createdAt } = payment;
  for (const { entryId: id, reference, applied: amount, currency, receivedAt: at } of entries) {
    // The entries of a failed payment are returned in full.
    if (amount === 0 || status === "failed") continue;
    const ids = { id, reference, paymentId, bookingId, accountId };
    const shown = status === "succeeded" ? "applied" : "partial";
    const row: TransferRow = { ...ids, amount, currency, status: shown, createdAt: timestamp(at) };
    yield { model: transfer.model, index: transfer.newest, at, row };
  }
  const bankTransfer = bankTransferOf(payment);
  if (bankTransfer !== undefined && status === "pending") {
    const ids = { id: paymentId, reference: bankTransfer.reference, bookingId, accountId };
    const money = { amount: amountOutstanding(payment), currency: payment.currency };
    const row: ExpectedTransferRow = { ...ids, ...money, createdAt: timestamp(createdAt) };
    yield { model: expectedTransfer.model, index: expectedTransfer.oldest, at: createdAt, row };
  }
  for (const due of payment.refunds) {
    const { refundId: id, amount, currency, failure, createdAt: at } = due;
    if (due.status === "succeeded") continue;
    const ids = { id, paymentId, bookingId, accountId };
    const state = hasFailed(due)
      ? ({ status: "failed", failureReason: failure?.reason ?? null } as const)
      : ({ status: "pending", failureReason: null } as const);
    const row: RefundRow = { ...ids, amount, currency, ...state, createdAt: timestamp(at) };
    yield { model: refund.model, index: refund.oldest, at, row };
  }
  for (const { disputeId: id, amount, currency, reason, status } of payment.disputes) {
    const ids = { id, paymentId, bookingId, accountId };
    const row: DisputeRow = { ...ids, amount, currency, reason, status, changedAt: timestamp(changedAt) };
    yield { model: dispute.model, index: dispute.oldest, at: changedAt, row };
  }
}

function returnsOf({ bookingId, accountId, payments, returns }: ExistingBooking): readonly Listed[] {
  const entries = payments.flatMap((payment) => payment.entries);
  return returns.map(({ returnId: id, entryId, paymentId, amount, currency, status, createdAt: at }) => {
    const reference = entries.find((entry) => entry.entryId === entryId)?.reference ?? "";
    const ids = { id, reference, paymentId, bookingId, accountId };
    const shown = status === "sent" ? "returned" : "to_return";
    const row: TransferRow = { ...ids, amount, currency, status: shown, createdAt: timestamp(at) };
    return { model: transfer.model, index: transfer.newest, at, row };
  });
}

/** A document is in the review queue until it is decided. */
function documentsOf({ bookingId, accountId, documents }: ExistingBooking): readonly Listed[] {
  return documents.flatMap((one) => {
    const { status, awaits, uploadedAt: at } = one;
    if (status !== "pending" || awaits === null) return [];
    const { rejectionReason: _, ...shown } = travelDocumentBody(one);
    const row: DocumentRow = { ...shown, bookingId, accountId, status, awaits };
    return [{ model: document.model, index: document.oldest, at, row }];
  });
}
