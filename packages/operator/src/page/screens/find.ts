import { bookingIdOfDocument, bookingIdOfPayment, bookingIdOfRefund, bookingIdOfReturn } from "@travel-booking/domain";
import { pathOf } from "../parts.ts";

const OF_BOOKINGS = [bookingIdOfPayment, bookingIdOfRefund, bookingIdOfReturn, bookingIdOfDocument];

const STREAM = /^(?:booking|flight|account|passenger|loyalty|webhookEndpoints|destination|email)-/;

/** The page of an id's object or of a stream, else a search for the word. An id's form shows its kind. */
export function findPlace(given: string): string {
  const word = given.trim();
  const bookingId = word.startsWith("bkg_") ? word : OF_BOOKINGS.map((of) => of(word)).find((id) => id !== undefined);
  if (bookingId !== undefined) return pathOf("bookings", bookingId);
  if (word.startsWith("whe_")) return pathOf("webhooks", word);
  if (word.startsWith("dlv_")) return pathOf("deliveries", word);
  if (word.startsWith("dis_")) return pathOf("disruptions", word);
  if (word.startsWith("acc_")) return pathOf("accounts", word);
  if (STREAM.test(word)) return `/streams?name=${encodeURIComponent(word)}`;
  return `/search?word=${encodeURIComponent(word)}`;
}
