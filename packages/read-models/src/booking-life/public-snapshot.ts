import type { BookingBody, PaymentBody } from "@travel-booking/api-contract";
import { bookingBody, disruptionBody, paymentBody, travelDocumentBody } from "@travel-booking/api-contract/bodies";
import {
  type BookingEvent,
  type BookingState,
  findPayment,
  hasFailed,
  isExistingBooking,
} from "@travel-booking/domain";

/** The parts of a booking that an account sees and an event concerns. Null: the part does not exist. */
export interface PublicSnapshot {
  readonly booking: BookingBody | null;
  readonly metadata: Readonly<Record<string, string>> | null;
  readonly payment: PaymentBody | null;
  /** Everything else that the history shows, by kind and id: `payments.<id>`, `refunds.<id>`, `documents.<id>`, … */
  readonly parts: Readonly<Record<string, object>>;
}

/** Makes a snapshot that shares nothing with the state, because the state may change afterwards. */
export function publicSnapshot(state: BookingState, { data }: BookingEvent): PublicSnapshot {
  const parts: Record<string, object> = {};
  if (!isExistingBooking(state)) return { booking: null, metadata: null, payment: null, parts };
  const ids = data as Readonly<Record<string, unknown>>;
  /** The part of the booking whose id the event has in the same field. */
  const named = <Field extends string, Part extends Readonly<Record<Field, string>>>(
    field: Field,
    parts: readonly Part[] = [],
  ) => parts.find((part) => part[field] === ids[field]);
  const due = named("returnId", state.returns);
  const paid = findPayment(state, "paymentId" in data ? data.paymentId : (due?.paymentId ?? ""));
  const payment = paid === undefined ? null : paymentBody(state, paid);
  if (payment !== null) {
    parts[`payments.${payment.id}`] = { ...payment, refunds: null };
    for (const refund of payment.refunds) parts[`refunds.${refund.id}`] = refund;
  }
  const refund = named("refundId", paid?.refunds);
  if (refund !== undefined) {
    const failureReason = hasFailed(refund) ? (refund.failure?.reason ?? null) : null;
    parts[`refunds.${refund.refundId}`] = { ...parts[`refunds.${refund.refundId}`], failureReason };
  }
  const dispute = named("disputeId", paid?.disputes);
  if (paid !== undefined && dispute !== undefined) {
    const { disputeId, amount, currency, reason, status } = dispute;
    parts[`disputes.${disputeId}`] = { paymentId: paid.paymentId, amount, currency, reason, status };
  }
  const document = named("documentId", state.documents);
  if (document !== undefined) parts[`documents.${document.documentId}`] = travelDocumentBody(document);
  const entry = named("entryId", paid?.entries);
  if (paid !== undefined && entry !== undefined) {
    const { entryId, amount, currency, applied } = entry;
    parts[`transfers.${entryId}`] = { paymentId: paid.paymentId, amount, currency, applied };
  }
  if (due !== undefined) {
    const { returnId, paymentId, amount, currency, cause, status } = due;
    parts[`returns.${returnId}`] = { paymentId, amount, currency, cause, status };
  }
  const disruption = named("caseId", state.cases);
  if (disruption !== undefined) parts[`disruptions.${disruption.caseId}`] = disruptionBody(state.bookingId, disruption);
  const granted = named("redemptionId", state.rewards);
  if (granted !== undefined) {
    const { redemptionId, reward, amount } = granted;
    // For a credit, the amount is the cents that lowered the price.
    parts[`rewards.${redemptionId}`] = reward === "booking_credit" ? { reward, amount } : { reward };
  }
  return { booking: bookingBody(state), metadata: Object.fromEntries(state.metadata ?? []), payment, parts };
}
