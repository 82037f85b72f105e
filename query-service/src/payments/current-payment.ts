import { paymentBody } from "@travel-booking/api-contract";
import { bookingIdOfPayment, paymentOf } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { idOfOwnedKey } from "@travel-booking/read-models";
import { findCurrentBooking } from "../bookings/current-booking.ts";

/** What `bookings.payment` has under this key, at this moment: a transfer may have fallen due, a refund settled. */
export async function currentPaymentJson(models: ReadModels, key: string, now: number): Promise<string | undefined> {
  const paymentId = idOfOwnedKey(key);
  const bookingId = bookingIdOfPayment(paymentId);
  const booking = bookingId === undefined ? undefined : await findCurrentBooking(models, bookingId, now);
  const payment = booking && paymentOf(booking, paymentId);
  return booking === undefined || payment === undefined ? undefined : JSON.stringify(paymentBody(booking, payment));
}
