import { isDeepStrictEqual } from "node:util";
import type { BookingEvent } from "@travel-booking/domain";

/** The names of the events in a booking's history; null: the account does not see the event. */
export const HISTORY_TYPES: Readonly<Record<BookingEvent["type"], string | null>> = {
  BookingCreated: "booking.created",
  BookingAbandoned: null,
  BookingChanged: "booking.changed",
  SeatChangeClosed: null,
  BookingConfirmed: "booking.confirmed",
  BookingCancelled: "booking.cancelled",
  BookingErased: null,
  BookingPassengerErased: null,
  BookingDocumentsErased: null,
  BookingDisrupted: "disruption.opened",
  BookingMoved: "booking.changed",
  CabinChanged: "booking.changed",
  CaseRevised: "disruption.revised",
  CaseResolved: "disruption.resolved",
  NoteAdded: null,
  DepartureMoved: null,
  PaymentStarted: "payment.created",
  PaymentSucceeded: "payment.succeeded",
  PaymentFailed: "payment.failed",
  PaymentWithdrawn: null,
  TransferReceived: "transfer.received",
  TransferReversed: "transfer.reversed",
  ReturnDue: "return.due",
  ReturnSent: "return.sent",
  RefundStarted: "refund.created",
  RefundClosed: null,
  RefundSucceeded: "refund.succeeded",
  RefundAwaited: null,
  RefundFailed: "refund.failed",
  RefundRetried: "refund.retried",
  PaymentDisputed: "payment.disputed",
  DocumentUploaded: "document.uploaded",
  DocumentVerified: "document.verified",
  DocumentRejected: "document.rejected",
  DocumentLeftToOperator: null,
  DocumentReopened: "document.reopened",
  UploadClosed: null,
  CreditApplied: "credit.applied",
  CabinUpgraded: "cabin.upgraded",
  RewardAdded: "reward.added",
  RedemptionClosed: null,
  BookingFlown: null,
};

/** Changes by field. A field without a value is null. */
export type FieldChanges = Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;

/**
 * The fields in which two versions of an object differ. `before` is null for a new object: every field with a value
 * changed.
 * @param hasChanged returns true for a field that changed although its values look the same.
 */
export function changesBetween(
  before: object | null,
  after: object,
  hasChanged: (field: string) => boolean = () => false,
): FieldChanges {
  const changes: Record<string, FieldChanges[string]> = {};
  const [earlier, later] = [before ?? {}, after] as [Record<string, unknown>, Record<string, unknown>];
  const compare = (field: string) => {
    const [from, to] = [earlier[field] ?? null, later[field] ?? null];
    if (hasChanged(field) || !isDeepStrictEqual(from, to)) changes[field] = { from, to };
  };
  for (const field in later) compare(field);
  for (const field in earlier) if (!(field in later)) compare(field);
  return changes;
}

/** The fields of a booking's public form that an event has changed. */
export function changesOfBooking({ type, data }: BookingEvent, before: object | null, after: object): FieldChanges {
  if (type !== "BookingChanged") return changesBetween(before, after);
  // The event names the changed fields, because erased words look the same before and after.
  const { reference, passengers } = data;
  const named: Readonly<Record<string, unknown>> = { reference, passengers };
  return changesBetween(before, after, (field) => named[field] !== undefined);
}
