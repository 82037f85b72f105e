import {
  type BookingBody,
  bookingBody,
  type PaymentBody,
  paymentBody,
  type RefundBody,
  refundBody,
} from "@travel-booking/api-contract";
import {
  type BookingRejectionCode,
  type BookingState,
  type ExistingBooking,
  type FlightRejectionCode,
  isExistingBooking,
  type LoyaltyRejectionCode,
  type PassengerEmailRejectionCode,
  type PassengerRejectionCode,
  paymentOf,
  type Rejection,
  refundOf,
  type WebhookEndpointsRejectionCode,
} from "@travel-booking/domain";
import { type ApiResponse, errorResponse } from "@travel-booking/http";

/** 200 with the object as it is after the command. */
export function ok(body: unknown, position: bigint): ApiResponse {
  return { status: 200, json: JSON.stringify(body), position };
}

/** 201 with the object that was made. */
export function created(body: unknown, position: bigint): ApiResponse {
  return { status: 201, json: JSON.stringify(body), position };
}

/** 204. */
export function noContent(position: bigint): ApiResponse {
  return { status: 204, json: null, position };
}

/** The booking a command has just been accepted for. */
export function existingBooking(state: BookingState): ExistingBooking {
  if (!isExistingBooking(state)) throw new Error("a command was accepted for a booking that does not exist");
  return state;
}

export function bookingBodyOf(state: BookingState): BookingBody {
  return bookingBody(existingBooking(state));
}

export function paymentBodyOf(state: BookingState, paymentId: string): PaymentBody {
  return paymentBody(existingBooking(state), paymentOf(state, paymentId));
}

export function refundBodyOf(state: BookingState, refundId: string): RefundBody {
  return refundBody(refundOf(state, refundId));
}

type Code =
  | LoyaltyRejectionCode
  | BookingRejectionCode
  | FlightRejectionCode
  | WebhookEndpointsRejectionCode
  | PassengerEmailRejectionCode
  | PassengerRejectionCode;
type Facts = NonNullable<Rejection["facts"]>;
type AnsweredCode = Exclude<Code, "quota_exceeded"> | "request_too_large";
type Message = string | ((facts: Facts) => string);

/** What a rejection is at the HTTP edge: its status, and a message for people that names what is in the way. */
const RESPONSES_BY_CODE: Readonly<Record<AnsweredCode, readonly [status: 400 | 404 | 409 | 422, message: Message]>> = {
  flight_not_found: [404, "no flight with this id"],
  hold_not_found: [404, "no active seat hold with this id"],
  booking_not_found: [404, "no booking with this id"],
  payment_not_found: [404, "no payment with this id"],
  refund_not_found: [404, "no refund with this id"],
  transfer_not_found: [404, "no bank transfer with this reference"],
  return_not_found: [404, "no return with this id"],
  document_not_found: [404, "no document with this id"],
  passenger_not_found: [404, "no such passenger on this booking"],
  profile_not_found: [404, "no passenger with this id"],
  endpoint_not_found: [404, "no webhook endpoint with this id"],

  born_in_future: [400, "dateOfBirth must not be in the future"],
  too_much_metadata: [400, "metadata must have at most 20 keys"],
  request_too_large: [400, "the request is too large: what follows from it can't be stored at once"],
  no_seats: [400, "no seat is named"],
  seat_named_twice: [400, (facts) => `seat named twice: ${seats(facts)}`],
  too_many_seats: [400, "more than nine seats are named"],
  credit_currency_mismatch: [422, ({ credit, booking }) => `credit is in ${credit}, and the booking in ${booking}`],
  reward_needs_booking: [422, "this reward needs a bookingId"],
  adjustment_invalid: [422, "the points must be a whole number other than 0"],
  seat_unknown: [422, (facts) => `no such seat on this flight: ${seats(facts)}`],
  seats_span_cabins: [422, (facts) => `the seats are not all in one cabin: ${seats(facts)}`],
  seat_in_other_cabin: [422, (facts) => `seat in another cabin than the booking's: ${seats(facts)}`],
  seat_count_mismatch: [422, "the number of seats does not match the number of passengers"],
  passenger_count_mismatch: [
    422,
    "the number of passengers does not match the booking; cancel and book again to add or remove one",
  ],
  cabin_not_on_flight: [422, "this flight has no such cabin"],
  hold_cabin_mismatch: [422, "the seat hold is in another cabin"],
  hold_flight_mismatch: [422, "the seat hold is on another flight"],
  transfer_too_late: [422, "the flight departs too soon for a bank transfer (less than 48 hours)"],
  refund_too_large: [422, (facts) => `the amount is more than what is left to refund${left(facts)}`],
  amount_invalid: [422, "the amount must be a whole number of cents, at least 1"],
  too_many_documents: [422, ({ most }) => `a booking has at most ${most} travel documents`],
  too_many_endpoints: [422, ({ most }) => `an account has at most ${most} webhook endpoints; delete one first`],
  invalid_plan: [422, "the flight's plan is not consistent"],

  seat_blocked: [409, (facts) => `seat is not for sale: ${seats(facts)}`],
  seat_taken: [409, (facts) => `seat is taken: ${seats(facts)}`],
  seat_held: [409, (facts) => `seat is already held: ${seats(facts)}`],
  seats_owed: [409, (facts) => `the seats left are owed to passengers without a seat: ${seats(facts)}`],
  cabin_sold_out: [409, "not enough seats are left in this cabin"],
  flight_departed: [409, "the flight has departed"],
  flight_plan_fixed: [409, "the flight is on sale: its seats and times are fixed"],
  hold_not_active: [409, "the seat hold is used, expired or released"],
  allocation_not_found: [409, "the booking has no room on this flight any more"],
  allocation_released: [409, "this attempt to book was given up and its seats are free again; book again"],
  seat_change_open: [409, "another change of this booking's seats is under way; try again"],
  seats_changing: [409, "others are changing seats in this cabin at this moment; try again"],
  seat_change_not_found: [409, "the change of seats was given up; try again"],
  seat_change_not_open: [409, "the change of seats is over"],
  upload_closed: [409, "this attempt to upload was given up; upload again"],
  change_closed: [409, "this attempt to change seats was given up; try again"],
  id_taken: [409, "this attempt conflicts with another one"],
  booking_exists: [409, "this booking exists already"],
  booking_abandoned: [409, "this attempt to book was given up; book again"],
  booking_cancelled: [409, "the booking is cancelled"],
  booking_pending: [409, "the booking is not paid yet"],
  seats_chosen: [409, "the booking's seats are chosen already"],
  cabin_left: [409, "the booking has moved to another cabin; try again"],
  email_taken: [409, "a passenger with this email exists"],
  email_claim_open: [409, "a passenger with this email is being saved or deleted at this moment; try again"],
  email_not_claimed: [409, "the passenger's email was changed at this moment; try again"],
  email_claim_closed: [409, "this attempt to change the email was given up; try again"],
  passenger_abandoned: [409, "this attempt to save the passenger was given up; try again"],
  seat_price_fixed: [409, "the booking is paid and the new seats cost more; cancel and book again"],
  no_higher_cabin: [409, "this flight has no higher cabin"],
  redemption_closed: [409, "this attempt to redeem was given up; redeem again"],
  redemption_given_up: [409, "this attempt to redeem was given up; redeem again"],
  redemption_not_found: [404, "no redemption with this id"],
  not_enough_points: [
    409,
    ({ points, spendable }) => `not enough points: ${points} are needed, what can be spent is ${spendable}`,
  ],
  payment_pending: [409, "this would change the price while a payment is under way"],
  already_paid: [409, "the booking is already paid"],
  payment_in_progress: [409, "another payment of this booking is under way"],
  payment_given_up: [409, "this attempt to pay was given up and nothing was charged; pay again"],
  transfer_pending: [409, "a bank transfer for this booking is already pending"],
  refund_not_failed: [409, "the refund has not failed"],
  payment_not_succeeded: [409, "the payment has not succeeded"],
  payment_fully_refunded: [409, "the payment is already fully refunded"],
};

/** The answers to `quota_exceeded`, by quota (docs/rules.md#quotas). */
const RESPONSES_BY_QUOTA: Readonly<Record<string, readonly [status: 403 | 409, message: Message]>> = {
  unpaid_seats: [
    409,
    ({ most, cabin }) =>
      `quota reached: an account may keep ${most} seats of ${cabin} on this flight held or booked without paying; pay, cancel or release some first`,
  ],
  open_holds: [
    409,
    ({ most }) => `quota reached: an account may have ${most} active seat holds; book or release some first`,
  ],
  passengers: [403, ({ most }) => `quota reached: an account may save ${most} passengers; delete some first`],
  documents: [403, ({ most }) => `quota reached: an account may upload ${most} documents`],
  document_bytes: [403, ({ most }) => `quota reached: the documents of an account may have ${most} bytes together`],
};

/** Refusals that say "not now": the same request may be accepted in a moment. */
const TRANSIENT_CODES: ReadonlySet<string> = new Set<Code>([
  "seat_change_open",
  "upload_closed",
  "seats_changing",
  "email_claim_open",
]);

/** Refusals of a command that was left unfinished and undone: it can't be carried out any more, and a new one can. */
const GIVEN_UP_CODES: ReadonlySet<string> = new Set<Code>([
  "allocation_released",
  "booking_abandoned",
  "change_closed",
  "seat_change_not_found",
  "email_claim_closed",
  "passenger_abandoned",
  "payment_given_up",
  "redemption_closed",
  "redemption_given_up",
]);

/**
 * The answer to a command that was refused. `position`: what the refusal rests on, and what lapsed with it; later
 * reads of the same credential show it.
 */
export function rejectionResponse(rejection: Rejection, position?: bigint): ApiResponse {
  const { code, facts = {} } = rejection;
  const refusal =
    code === "quota_exceeded" ? RESPONSES_BY_QUOTA[String(facts.quota)] : RESPONSES_BY_CODE[code as AnsweredCode];
  if (refusal === undefined) throw new Error(`no answer is known for the rejection ${code}`);
  const [status, message] = refusal;
  const text = typeof message === "string" ? message : message(facts);
  return {
    ...errorResponse(status, status === 400 ? [text] : text),
    ...(position !== undefined && { position }),
    ...(TRANSIENT_CODES.has(code) && { transient: true }),
    ...(GIVEN_UP_CODES.has(code) && { givenUp: true }),
  };
}

function seats({ seats: named }: Facts): string {
  return Array.isArray(named) ? named.join(", ") : String(named ?? "");
}

function left({ refundable }: Facts): string {
  return refundable === undefined ? "" : ` (${refundable})`;
}
