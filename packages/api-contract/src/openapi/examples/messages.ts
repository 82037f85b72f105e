type Messages = Readonly<Record<number, string | readonly string[]>>;

const SAME_KEY = "A request with this Idempotency-Key is being worked on; try again.";
const KEY_USED = "This Idempotency-Key was used with a different request.";

/** Messages of error answers, by operation and status; those of `any` where an operation has none of its own. */
export const messages: Readonly<Record<string, Messages>> = {
  any: {
    400: ["limit must be a whole number from 1 to 100", "page is not a known parameter"],
    401: "The API key is not valid.",
    403: "The credential lacks the scope bookings:write.",
    404: "There is no booking with this id.",
    409: SAME_KEY,
    422: KEY_USED,
    429: "More than 60 requests a minute; wait 17 seconds.",
    500: "The service failed; try again later.",
    503: "The service is overloaded; try again.",
  },
  createSeatHold: { 409: "Not available: 12A, 12B.", 422: "There are no such seats on this flight: 99Z." },
  releaseSeatHold: { 409: "The hold has been used." },
  createBooking: { 409: "Not available: 12A.", 422: "There must be one seat per passenger." },
  changeBooking: { 409: "The booking is cancelled.", 422: "There must be one seat per passenger." },
  uploadDocument: { 422: "A booking has at most 100 documents." },
  getBoardingPass: { 409: "The booking is cancelled." },
  createPassenger: { 409: "A passenger with this e-mail address exists." },
  changePassenger: { 409: "Another passenger already has this e-mail address." },
  createRedemption: { 409: "There are not enough points.", 422: "The reward needs a bookingId." },
  createPayment: { 409: "The booking is already paid." },
  createRefund: {
    409: "The payment is already fully refunded.",
    422: "The amount is more than what is left to refund.",
  },
};
