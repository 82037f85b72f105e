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
  /** This attempt to redeem was given up before the booking decided. */
  | "redemption_closed"
  | "payment_pending"
  | "booking_pending"
  /** Seats were chosen before any could be assigned. */
  | "seats_chosen"
  /** The seats are in a cabin the booking has left. */
  | "cabin_left"
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
  | "document_not_found"
  /** The booking has no passenger at this place. */
  | "passenger_not_found"
  | "too_many_documents"
  /** The file was given up before its document was recorded. */
  | "upload_closed"
  /** Not a whole number of cents, or less than one. */
  | "amount_invalid";
