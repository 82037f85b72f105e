/** Why a booking refuses a command. One table at the HTTP edge gives each its status and message. */
export type BookingRejectionCode =
  /** No such booking, or another account's. */
  | "booking_not_found"
  | "booking_exists"
  | "booking_abandoned"
  | "booking_cancelled"
  | "flight_departed"
  | "passenger_count_mismatch"
  | "seat_count_mismatch"
  | "seat_price_fixed"
  | "payment_pending"
  /** The reservation of the new seats was closed before the booking decided. */
  | "change_closed"
  | "already_paid"
  | "payment_in_progress"
  | "transfer_pending"
  | "transfer_too_late"
  | "payment_not_found"
  | "payment_not_succeeded"
  | "payment_fully_refunded"
  | "refund_too_large"
  | "refund_not_found"
  /** No bank transfer of this booking has that reference. */
  | "transfer_not_found"
  | "return_not_found"
  /** Not a whole number of cents, or less than one. */
  | "amount_invalid";
