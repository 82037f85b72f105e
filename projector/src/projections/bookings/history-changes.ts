import type { PaymentBody, TravelDocumentBody } from "@travel-booking/api-contract";
import { changesBetween, type FieldChange, type FieldChanges } from "./field-changes.ts";
import type { VisibleBookingEvent } from "./history-types.ts";
import type { PublicSnapshot } from "./public-snapshot.ts";

export type HistoryChanges = Readonly<Record<string, FieldChange | FieldChanges>>;

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

/** Money on its way between bank accounts is in no public object; the event itself says what happened to it. */
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

/** What points were spent on, under `rewards.<id of the redemption>`; of a credit the cents that lowered the price. */
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

/** What a history entry says changed: fields of the booking by their names, everything else by kind and id. */
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
  };
}
