import type { ExistingBooking } from "@travel-booking/domain";
import type { BookingBody } from "../resources/booking.ts";
import { timestamp } from "./timestamp.ts";

export function bookingBody(booking: ExistingBooking): BookingBody {
  return {
    id: booking.bookingId,
    status: booking.status,
    cabin: booking.cabin,
    flightId: booking.flightId,
    passengers: booking.passengers.map(({ name, email }) => ({ name, email })),
    totalAmount: booking.totalAmount,
    currency: booking.currency,
    documents: booking.documents.map(({ fileName }) => fileName),
    seats: [...booking.seats],
    ...(booking.reference === null ? {} : { reference: booking.reference }),
    createdAt: timestamp(booking.createdAt),
  };
}
