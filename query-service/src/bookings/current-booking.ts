import { bookingBody } from "@travel-booking/api-contract";
import { bookingAt, type ExistingBooking, isExistingBooking } from "@travel-booking/domain";
import type { ReadModels } from "@travel-booking/engines/read-store";
import { BOOKINGS, type BookingDocumentState, idOfOwnedKey } from "@travel-booking/read-models";

/** A booking as it stands at this moment: with what has lapsed by then, recorded or not. */
export async function findCurrentBooking(
  models: ReadModels,
  bookingId: string,
  now: number,
): Promise<ExistingBooking | undefined> {
  const document = await models.document(BOOKINGS.state.model, bookingId);
  if (document === undefined) return undefined;
  const booking = bookingAt((document.state as BookingDocumentState).booking, now);
  return isExistingBooking(booking) ? booking : undefined;
}

/** What `bookings.booking` has under this key, at this moment. */
export async function currentBookingJson(models: ReadModels, key: string, now: number): Promise<string | undefined> {
  const booking = await findCurrentBooking(models, idOfOwnedKey(key), now);
  return booking === undefined ? undefined : JSON.stringify(bookingBody(booking));
}
