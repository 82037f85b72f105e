import { STATUS_CODES } from "node:http";
import { MAX_DOCUMENTS } from "@travel-booking/domain";
import type { ErrorResponse, OAuthError } from "../resources/error.ts";
import { MAX_LIMIT } from "../resources/page.ts";

type Messages = Readonly<Record<number, string | string[]>>;

const SAME_KEY = "A request with this Idempotency-Key is being worked on; try again.";
const KEY_USED = "This Idempotency-Key was used with a different request.";

/** By operation and status; those of `any` are for operations without a message of their own. */
const MESSAGES: Readonly<Record<string, Messages>> = {
  any: {
    400: [`limit must be a whole number from 1 to ${MAX_LIMIT}`, "page is not a known parameter"],
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
  uploadDocument: { 422: `A booking has at most ${MAX_DOCUMENTS} documents.` },
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

/** The body of an error with this status: of the operation with the id, else of any. */
export function errorExample(status: number, id = "any"): ErrorResponse {
  const message = MESSAGES[id]?.[status] ?? MESSAGES.any?.[status];
  if (message === undefined) throw new Error(`there is no example of ${status} of ${id}`);
  const error = STATUS_CODES[status];
  return { statusCode: status, message, ...(error !== undefined && { error }) };
}

export function oauthErrorExample(status: number): OAuthError {
  return status === 401
    ? { error: "invalid_client", error_description: "The client is unknown, or its secret is wrong." }
    : { error: "unsupported_grant_type", error_description: "grant_type must be client_credentials" };
}
