import {
  type BookingBody,
  bookingBody,
  type PaymentBody,
  paymentBody,
  type RefundBody,
  refundBody,
} from "@travel-booking/api-contract";
import {
  type BookingState,
  type ExistingBooking,
  isExistingBooking,
  paymentOf,
  refundOf,
} from "@travel-booking/domain";

/** The booking a command has just been accepted for. */
export function existingBooking(state: BookingState): ExistingBooking {
  if (!isExistingBooking(state)) throw new Error("a command was accepted for a booking that does not exist");
  return state;
}

export function bookingBodyOf(state: BookingState): BookingBody {
  return bookingBody(existingBooking(state));
}

export function paymentBodyOf(state: BookingState, paymentId: string): PaymentBody {
  return paymentBody(existingBooking(state), paymentOf(state, paymentId));
}

export function refundBodyOf(state: BookingState, refundId: string): RefundBody {
  return refundBody(refundOf(state, refundId));
}
