import { MAX_SEATS_PER_HOLD } from "@travel-booking/domain";
import { uniqueArray } from "../fields/objects.ts";
import { text } from "../fields/text.ts";

/** Most passengers of a booking (docs/rules.md#party-size), and so its most seats. */
export const MAX_PASSENGERS = 9;

/** A seat number as a client names it: any short text, since one that is not on the flight answers 422. */
const seatNumber = text({ max: 16, blank: "refused" }).describe("A seat number: row and column.");

/** Seats to hold: at least one. */
export const heldSeats = uniqueArray(seatNumber, { min: 1, max: MAX_SEATS_PER_HOLD }).describe(
  "Seat numbers, all in one cabin.",
);

/** Seats of a booking, one per passenger; none reads as not chosen. Their number is checked against the passengers. */
export const chosenSeats = uniqueArray(seatNumber, { min: 0, max: MAX_PASSENGERS }).describe(
  "One seat number per passenger, in passenger order. Each must be free, held by `holdId`, or already on the booking.",
);
