import type { DisruptionBody, PaymentBody, TravelDocumentBody } from "@travel-booking/api-contract";
import type { BookingEvent } from "@travel-booking/domain";
import type { PublicSnapshot } from "./public-snapshot.ts";

type HistoryChanges = Readonly<Record<string, FieldChange | FieldChanges>>;

function named(name: string, changes: FieldChanges): HistoryChanges {
  return Object.keys(changes).length === 0 ? {} : { [name]: changes };
}

/** Payments under `payments.<id>`, their refunds under `refunds.<id>`. */
function paymentChanges(before: PaymentBody | null, after: PaymentBody | null): HistoryChanges {
  if (after === null) return {};
  const { refunds, ...payment } = after;
  const { refunds: refundsBefore = [], ...paymentBefore } = before ?? {};
  const paymentsChanges = changesBetween(before === null ? null : paymentBefore, payment);
  const refundsChanges = refunds.map((refund) => {
    const refundBefore = refundsBefore.find(({ id }) => id === refund.id) ?? null;
    return named(`refunds.${refund.id}`, changesBetween(refundBefore, refund));
  });
  return Object.assign({}, named(`payments.${after.id}`, paymentsChanges), ...refundsChanges);
}

/** Documents under `documents.<id>`. */
function documentChanges(before: TravelDocumentBody | null, after: TravelDocumentBody | null): HistoryChanges {
  return after === null ? {} : named(`documents.${after.id}`, changesBetween(before, after));
}

/** Bank transfers are in no public object, so their changes come from the event itself. */
function transferChanges(event: VisibleBookingEvent): HistoryChanges {
  switch (event.type) {
    case "TransferReceived": {
      const { entryId, paymentId, amount, currency, applied } = event.data;
      return { [`transfers.${entryId}`]: changesBetween(null, { paymentId, amount, currency, applied }) };
    }
    case "ReturnDue": {
      const { returnId, paymentId, amount, currency, cause } = event.data;
      return { [`returns.${returnId}`]: changesBetween(null, { paymentId, amount, currency, cause, status: "due" }) };
    }
    case "ReturnSent":
      return { [`returns.${event.data.returnId}`]: changesBetween({ status: "due" }, { status: "sent" }) };
    default:
      return {};
  }
}

/** Why a refund failed, beside its own fields, until it is sent again or has arrived; disputes under `disputes.<id>`. */
function gatewayChanges(event: VisibleBookingEvent): HistoryChanges {
  if (event.type !== "PaymentDisputed") return {};
  const { disputeId, ...dispute } = event.data;
  return { [`disputes.${disputeId}`]: changesBetween(null, dispute) };
}

/** Rewards under `rewards.<id of the redemption>`; of a credit the cents that lowered the price. */
function rewardChanges(event: VisibleBookingEvent): HistoryChanges {
  switch (event.type) {
    case "CreditApplied": {
      const { redemptionId, amount } = event.data;
      return { [`rewards.${redemptionId}`]: changesBetween(null, { reward: "booking_credit", amount }) };
    }
    case "CabinUpgraded":
      return { [`rewards.${event.data.redemptionId}`]: changesBetween(null, { reward: "cabin_upgrade" }) };
    case "RewardAdded": {
      const { redemptionId, reward } = event.data;
      return { [`rewards.${redemptionId}`]: changesBetween(null, { reward }) };
    }
    default:
      return {};
  }
}

function disruptionChanges(before: DisruptionBody | null, after: DisruptionBody | null): HistoryChanges {
  return after === null ? {} : { [`disruptions.${after.id}`]: changesBetween(before, after) };
}

/** The changes of a history entry: fields of the booking by name, everything else by kind and id. */
export function historyChanges(
  event: VisibleBookingEvent,
  bookingChanges: FieldChanges,
  before: PublicSnapshot,
  after: PublicSnapshot,
): HistoryChanges {
  return {
    ...bookingChanges,
    ...paymentChanges(before.payment, after.payment),
    ...documentChanges(before.document, after.document),
    ...transferChanges(event),
    ...rewardChanges(event),
    ...gatewayChanges(event),
    ...disruptionChanges(before.disruption, after.disruption),
  };
}

/** Events of a booking that change what its account sees. */
export type VisibleBookingEvent = Exclude<
  BookingEvent,
  {
    readonly type:
      | "BookingAbandoned"
      | "SeatChangeClosed"
      | "UploadClosed"
      | "NoteAdded"
      | "DocumentLeftToOperator"
      | "RedemptionClosed"
      | "RefundAwaited"
      | "RefundClosed"
      | "PaymentWithdrawn"
      | "BookingFlown"
      | "BookingErased"
      | "BookingPassengerErased"
      | "BookingDocumentsErased"
      | "DepartureMoved";
  }
>;

/** The names of the events in a booking's history. */
export const HISTORY_TYPES: Readonly<Record<VisibleBookingEvent["type"], string>> = {
  BookingCreated: "booking.created",
  BookingChanged: "booking.changed",
  BookingConfirmed: "booking.confirmed",
  BookingCancelled: "booking.cancelled",
  BookingMoved: "booking.changed",
  CabinChanged: "booking.changed",
  BookingDisrupted: "disruption.opened",
  CaseRevised: "disruption.revised",
  CaseResolved: "disruption.resolved",
  PaymentStarted: "payment.created",
  PaymentSucceeded: "payment.succeeded",
  PaymentFailed: "payment.failed",
  TransferReceived: "transfer.received",
  TransferReversed: "transfer.reversed",
  ReturnDue: "return.due",
  ReturnSent: "return.sent",
  RefundStarted: "refund.created",
  RefundSucceeded: "refund.succeeded",
  RefundFailed: "refund.failed",
  RefundRetried: "refund.retried",
  PaymentDisputed: "payment.disputed",
  DocumentUploaded: "document.uploaded",
  DocumentVerified: "document.verified",
  DocumentRejected: "document.rejected",
  DocumentReopened: "document.reopened",
  CreditApplied: "credit.applied",
  CabinUpgraded: "cabin.upgraded",
  RewardAdded: "reward.added",
};

export function isVisible(event: BookingEvent): event is VisibleBookingEvent {
  return event.type in HISTORY_TYPES;
}

/** A field without a value is null. */
interface FieldChange {
  readonly from: unknown;
  readonly to: unknown;
}

export type FieldChanges = Readonly<Record<string, FieldChange>>;

type PublicObject = Readonly<Record<string, unknown>>;

function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  return JSON.stringify(one) === JSON.stringify(other);
}

/**
 * The fields in which two versions of an object differ. `before` is null for a new object: every field with a value
 * changed.
 */
export function changesBetween(before: PublicObject | null, after: PublicObject): FieldChanges {
  const changes: Record<string, FieldChange> = {};
  const earlier: PublicObject = before ?? {};
  for (const field in after) {
    const from = earlier[field] ?? null;
    const to = after[field] ?? null;
    if (!isEqual(from, to)) changes[field] = { from, to };
  }
  for (const field in earlier) {
    if (!(field in after) && earlier[field] != null) changes[field] = { from: earlier[field], to: null };
  }
  return changes;
}
