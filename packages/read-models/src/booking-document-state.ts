import type { BookingState } from "@travel-booking/domain";

/** State of `bookings.state`: JSON, free keys in lists. */
export interface BookingDocumentState {
  readonly booking: BookingState;
  /** Log position, as text, at which each payment, bank entry, return and document came to be. */
  readonly created: readonly (readonly [id: string, position: string])[];
}

/** State of `bookings.transferReference`: the payment a transfer's reference names. */
export interface TransferTarget {
  readonly accountId: string;
  readonly bookingId: string;
  readonly paymentId: string;
}
