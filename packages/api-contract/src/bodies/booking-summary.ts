import {
  bookingCodeOf,
  bookingFollowing,
  cancellableUntil,
  cancellationQuote,
  type ExistingBooking,
  type FlightChange,
  type Instant,
  sumOf,
} from "@travel-booking/domain";
import type { BookingSummaryBody, CancellationQuoteBody } from "../resources/booking-summary.ts";
import { timestamp } from "./timestamp.ts";

/** @param updatedAt when something last happened to the booking. */
export function bookingSummaryBody(booking: ExistingBooking, updatedAt: Instant): BookingSummaryBody {
  const expiresAt = booking.status === "pending" ? booking.expiresAt : null;
  const [cancelledAt, reason] = booking.status === "cancelled" ? [booking.cancelledAt, booking.reason] : [null, null];
  return {
    bookingId: booking.bookingId,
    passCode: bookingCodeOf(booking.bookingId),
    expiresAt: expiresAt === null ? null : timestamp(expiresAt),
    cancellableUntil: freeUntil(booking),
    cancelledAt: cancelledAt === null ? null : timestamp(cancelledAt),
    cancellationReason: reason,
    price: {
      fare: booking.fareAmount * booking.passengers.length,
      surcharges: sumOf(booking.surcharges),
      credit: booking.creditApplied,
      total: booking.totalAmount,
      currency: booking.currency,
    },
    paymentIds: booking.payments.map(({ paymentId }) => paymentId),
    metadata: Object.fromEntries(booking.metadata ?? []),
    updatedAt: timestamp(updatedAt),
  };
}

/** @param changes what has happened to its flight. */
export function cancellationQuoteBody(
  booking: ExistingBooking,
  at: Instant,
  changes: readonly FlightChange[],
): CancellationQuoteBody {
  const until = freeUntil(bookingFollowing(booking, at, changes));
  return { ...cancellationQuote(booking, at, changes), currency: booking.currency, until };
}

function freeUntil(booking: ExistingBooking): string | null {
  return booking.status === "cancelled" ? null : timestamp(cancellableUntil(booking));
}
