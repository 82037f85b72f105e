import { STATUS_CODES } from "node:http";
import type { ErrorCode } from "../errors/reasons.ts";
import type { ErrorResponse, OAuthError } from "../resources/error.ts";
import { MAX_LIMIT } from "../resources/page.ts";

/** The messages of the service with these codes, word for word. Tests compare them with real answers. */
export const SAID: { readonly [Code in ErrorCode]?: string | string[] } = {
  invalid_request: [`limit must be a whole number from 1 to ${MAX_LIMIT}`, "page is not a known parameter"],
  invalid_api_key: "The API key is not valid.",
  insufficient_scope: "The credential lacks the scope bookings:write.",
  destination_not_found: "no destination with this id",
  flight_not_found: "no flight with this id",
  hold_not_found: "no seat hold with this id",
  booking_not_found: "no booking with this id",
  payment_not_found: "no payment with this id",
  profile_not_found: "no passenger with this id",
  disruption_not_found: "no disruption with this id",
  event_not_found: "no event with this id",
  endpoint_not_found: "no webhook endpoint with this id",
  key_in_progress: "A request with this Idempotency-Key is still in progress.",
  seat_taken: "seat is taken: 12A",
  hold_used: "the seat hold was used on a booking",
  booking_cancelled: "the booking is cancelled",
  already_paid: "the booking is already paid",
  payment_fully_refunded: "the payment is already fully refunded",
  not_enough_points: "not enough points: 5000 are needed, what can be spent is 0",
  email_taken: "a passenger with this email exists",
  key_reused: "The Idempotency-Key was already used with a different request.",
  seat_unknown: "no such seat on this flight: 99Z",
  cabin_not_on_flight: "this flight has no such cabin",
  passenger_count_mismatch:
    "the number of passengers does not match the booking; cancel and book again to add or remove one",
  rate_limited: "More than 60 requests a minute; wait 17 seconds.",
  internal_error: "The service failed; try again later.",
  overloaded: "The service is overloaded; try again.",
};

/** The body of an error with the first of these codes that has an example. */
export function errorExample(status: number, codes: readonly ErrorCode[]): ErrorResponse {
  const message = codes.map((code) => SAID[code]).find((said) => said !== undefined);
  if (message === undefined) throw new Error(`there is no example of ${status} ${codes.join(", ")}`);
  const error = STATUS_CODES[status];
  return { statusCode: status, message, ...(error !== undefined && { error }) };
}

export function oauthErrorExample(status: number): OAuthError {
  return status === 401
    ? { error: "invalid_client", error_description: "The client is unknown, or its secret is wrong." }
    : { error: "unsupported_grant_type", error_description: "grant_type must be client_credentials" };
}
