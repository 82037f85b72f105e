import type { BookingEvent } from "@travel-booking/domain";

/** Events of a booking that change what its account sees. */
export type VisibleBookingEvent = Exclude<
  BookingEvent,
  {
    readonly type:
      | "BookingAbandoned"
      | "SeatChangeClosed"
      | "UploadClosed"
      | "DocumentLeftToOperator"
      | "RedemptionClosed"
      | "BookingFlown";
  }
>;

/** What a booking's history calls each event. */
export const HISTORY_TYPES: Readonly<Record<VisibleBookingEvent["type"], string>> = {
  BookingCreated: "booking.created",
  BookingChanged: "booking.changed",
  BookingConfirmed: "booking.confirmed",
  BookingCancelled: "booking.cancelled",
  PaymentStarted: "payment.created",
  PaymentSucceeded: "payment.succeeded",
  PaymentFailed: "payment.failed",
  TransferReceived: "transfer.received",
  ReturnDue: "return.due",
  ReturnSent: "return.sent",
  RefundStarted: "refund.created",
  RefundSucceeded: "refund.succeeded",
  DocumentUploaded: "document.uploaded",
  DocumentVerified: "document.verified",
  DocumentRejected: "document.rejected",
  CreditApplied: "credit.applied",
  CabinUpgraded: "cabin.upgraded",
  RewardAdded: "reward.added",
};

export function isVisible(event: BookingEvent): event is VisibleBookingEvent {
  return event.type in HISTORY_TYPES;
}
