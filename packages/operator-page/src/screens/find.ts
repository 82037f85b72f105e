import { bookingIdOfDocument, bookingIdOfPayment, bookingIdOfRefund, bookingIdOfReturn } from "@travel-booking/domain";
import { pathOf } from "../parts.ts";

const OF_BOOKINGS = [bookingIdOfPayment, bookingIdOfRefund, bookingIdOfReturn, bookingIdOfDocument];

/** The page of what an id names; else the stream of that name. Ids tell what they are of. */
export function findPlace(given: string): string {
  const word = given.trim();
  const bookingId = word.startsWith("bkg_") ? word : OF_BOOKINGS.map((of) => of(word)).find((id) => id !== undefined);
  if (bookingId !== undefined) return pathOf("bookings", bookingId);
  if (word.startsWith("whe_")) return pathOf("webhooks", word);
  if (word.startsWith("dlv_")) return pathOf("deliveries", word);
  if (word.startsWith("acc_")) return pathOf("accounts", word);
  return `/streams?name=${encodeURIComponent(word)}`;
}
