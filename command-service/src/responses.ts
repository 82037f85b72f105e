import {
  type BookingBody,
  bookingBody,
  type ErrorCode,
  type PaymentBody,
  paymentBody,
  type RefundBody,
  refundBody,
  timestamp,
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
type Message = string | ((facts: Facts) => string);

/** Refusals that say "not now": the same request may be accepted in a moment. */
const CONCURRENT_CHANGE = {
  seat_change_open: "another change of this booking's seats is under way; try again",
  upload_closed: "this attempt to upload was given up; upload again",
  seats_changing: "others are changing seats in this cabin at this moment; try again",
  has_place: "the booking has got a place meanwhile; try again",
  not_moved_yet: "the disruption is changing at this moment; try again",
  email_claim_open: "a passenger with this email is being saved or deleted at this moment; try again",
} as const;

/** Refusals of a command that was left unfinished and undone: it can't be carried out any more, and a new one can. */
const GIVEN_UP = {
  allocation_released: "this attempt to book was given up and its seats are free again; book again",
  booking_abandoned: "this attempt to book was given up; book again",
  change_closed: "this attempt to change seats was given up; try again",
  seat_change_not_found: "the change of seats was given up; try again",
  email_claim_closed: "this attempt to change the email was given up; try again",
  passenger_abandoned: "this attempt to save the passenger was given up; try again",
  payment_given_up: "this attempt to pay was given up and nothing was charged; pay again",
  refund_closed: "this attempt to refund was given up and nothing was sent back; refund again",
  redemption_closed: "this attempt to redeem was given up; redeem again",
  redemption_given_up: "this attempt to redeem was given up; redeem again",
} as const;

/** Rejections that a follow-up command gets only when another request came in between. */
const OVERTAKEN = {
  allocation_not_found: "the booking has no room on this flight any more",
  seat_change_not_open: "the change of seats is over",
  id_taken: "this attempt conflicts with another one",
  booking_exists: "this booking exists already",
  seats_chosen: "the booking's seats are chosen already",
  cabin_left: "the booking has moved to another cabin; try again",
  email_not_claimed: "the passenger's email was changed at this moment; try again",
  redemption_not_found: "this attempt to redeem is not known any more; redeem again",
} as const;

/** Only commands of the operator are refused so. */
type OperatorCode =
  | "refund_not_found"
  | "refund_not_failed"
  | "transfer_not_found"
  | "entry_differs"
  | "entry_not_found"
  | "entry_sent_back"
  | "payment_succeeded"
  | "return_not_found"
  | "document_not_found"
  | "adjustment_invalid"
  | "booking_not_over"
  | "passenger_differs"
  | "invalid_plan"
  | "flight_plan_fixed"
  | "flight_revision_changed"
  | "sales_are_open"
  | "too_many_decisions"
  | "disruption_not_running"
  | "disruption_running"
  | "flight_not_cancelled"
  | "times_unchanged"
  | "departs_too_soon"
  | "equipment_unchanged"
  | "currency_changed"
  | "too_many_seats_change";

type Published = Exclude<
  Code | "request_too_large",
  | keyof typeof CONCURRENT_CHANGE
  | keyof typeof GIVEN_UP
  | keyof typeof OVERTAKEN
  | OperatorCode
  | "quota_exceeded"
  | "keeps_less_than_half"
  | "flight_unread"
  | "hold_not_found"
  | "hold_not_active"
>;
type Status = 400 | 403 | 404 | 409 | 422;
/** A status that has this code, and a message for people that names what is in the way. */
type Answer<Each extends string> = { [S in Status]: Each extends ErrorCode<S> ? readonly [S, Message] : never }[Status];

/** Rejections whose code is also that of the answer. */
const ANSWERS: { readonly [Each in Published]: Answer<Each> } = {
  flight_not_found: [404, "no flight with this id"],
  disruption_not_found: [404, "no disruption with this id"],
  booking_not_found: [404, "no booking with this id"],
  payment_not_found: [404, "no payment with this id"],
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
  rebook_not_allowed: [
    422,
    "a booking moves to another flight there from the same place, within 14 days, in two hours at the earliest",
  ],
  nothing_to_accept: [422, "nothing takes the place of the journey"],
  refund_too_large: [422, (facts) => `the amount is more than what is left to refund${left(facts)}`],
  amount_invalid: [
    422,
    ({ step }) => `the amount must be a whole number of cents, ${step ? `a multiple of ${step}` : "at least 1"}`,
  ],
  too_many_documents: [422, ({ most }) => `a booking has at most ${most} travel documents`],
  too_many_endpoints: [422, ({ most }) => `an account has at most ${most} webhook endpoints; delete one first`],

  seat_blocked: [409, (facts) => `seat is not for sale: ${seats(facts)}`],
  seat_taken: [409, (facts) => `seat is taken: ${seats(facts)}`],
  seat_held: [409, (facts) => `seat is already held: ${seats(facts)}`],
  seats_owed: [409, (facts) => `the seats left are owed to passengers without a seat: ${seats(facts)}`],
  cabin_sold_out: [409, "not enough seats are left in this cabin"],
  flight_sold_out: [409, "not enough seats are left in this cabin of the flight"],
  flight_departed: [409, "the flight has departed"],
  flight_cancelled: [409, "the flight is cancelled"],
  sales_closed: [409, "the flight is not on sale"],
  booking_cancelled: [409, "the booking is cancelled"],
  booking_pending: [409, "the booking is not paid yet"],
  email_taken: [409, "a passenger with this email exists"],
  secret_just_rotated: [
    409,
    ({ until }) =>
      `the secret before the last rotation is in use until ${timestamp(Number(until))}; wait, or send expirePreviousNow`,
  ],
  disruption_resolved: [409, "it was answered otherwise, or in time by nobody"],
  disruption_superseded: [409, ({ revision }) => `it has changed since: the revision is ${revision}`],
  seat_price_fixed: [409, "the booking is paid and the new seats cost more; cancel and book again"],
  no_higher_cabin: [409, "this flight has no higher cabin"],
  not_enough_points: [
    409,
    ({ points, spendable }) => `not enough points: ${points} are needed, what can be spent is ${spendable}`,
  ],
  payment_pending: [409, "this would change the price while a payment is under way"],
  already_paid: [409, "the booking is already paid"],
  payment_in_progress: [409, "another payment of this booking is under way"],
  transfer_pending: [409, "a bank transfer for this booking is already pending"],
  too_many_payments: [409, ({ most }) => `a booking has at most ${most} payments; make another booking`],
  too_many_seat_changes: [409, ({ most }) => `the seats of a booking can be changed ${most} times`],
  too_many_redemptions: [409, ({ most }) => `a booking has at most ${most} redemptions, refused ones included`],
  too_many_changes: [409, ({ most }) => `its changes take ${most} characters, and there is no room for another`],
  payment_not_succeeded: [409, "the payment has not succeeded"],
  payment_fully_refunded: [409, "the payment is already fully refunded"],
  too_many_refunds: [
    409,
    ({ most, refundable }) => `the payment has ${most} refunds; what is left, ${refundable}, can be refunded in one`,
  ],
};

/** The answers to `quota_exceeded`, by quota (docs/rules.md#quotas). */
const ANSWERS_BY_QUOTA: Readonly<Record<string, readonly [status: 403 | 409, message: Message]>> = {
  unpaid_seats: [
    409,
    ({ most, cabin, refundOf }) =>
      `quota reached: an account may keep ${most} seats of ${cabin} on this flight held or booked without paying; pay, cancel or release some first${refundOf === undefined ? "" : "; once it is cancelled, this booking can be refunded in full"}`,
  ],
  open_holds: [
    409,
    ({ most }) => `quota reached: an account may have ${most} active seat holds; book or release some first`,
  ],
  passengers: [403, ({ most }) => `quota reached: an account may save ${most} passengers; delete some first`],
  documents: [403, ({ most }) => `quota reached: an account may upload ${most} documents`],
  document_bytes: [403, ({ most }) => `quota reached: the documents of an account may have ${most} bytes together`],
};

/** A hold that can't be used, or released, by its status. */
const ENDED_HOLDS: Readonly<Record<string, readonly [code: ErrorCode<404 | 409>, message: string]>> = {
  used: ["hold_used", "the seat hold was used on a booking"],
  expired: ["hold_expired", "the seat hold has expired"],
  released: ["hold_released", "the seat hold was released"],
};

/**
 * The answer to a command that was refused. `position`: what the refusal rests on, and what lapsed with it; later
 * reads of the same credential show it.
 */
export function rejectionResponse(rejection: Rejection, position?: bigint): ApiResponse {
  const response = refusal(rejection);
  return position === undefined ? response : { ...response, position };
}

function refusal({ code, facts = {} }: Rejection): ApiResponse {
  const textOf = (texts: Readonly<Record<string, string>>) => texts[code];
  const passing = textOf(CONCURRENT_CHANGE);
  if (passing !== undefined) return { ...errorResponse(409, "concurrent_change", passing), transient: true };
  const givenUp = textOf(GIVEN_UP);
  if (givenUp !== undefined) return { ...errorResponse(409, "attempt_given_up", givenUp), givenUp: true };
  const overtaken = textOf(OVERTAKEN);
  if (overtaken !== undefined) return errorResponse(409, "attempt_given_up", overtaken);
  if (code === "hold_not_found" || code === "hold_not_active") {
    const [known, text] =
      ENDED_HOLDS[String(facts.status)] ?? (["hold_not_found", "no seat hold with this id"] as const);
    return errorResponse(code === "hold_not_found" ? 404 : 409, known as ErrorCode<404> & ErrorCode<409>, text);
  }
  const answer: readonly [Status, Message] | undefined =
    code === "quota_exceeded" ? ANSWERS_BY_QUOTA[String(facts.quota)] : ANSWERS[code as Published];
  if (answer === undefined) throw new Error(`no answer is known for the rejection ${code}`);
  const [status, message] = answer;
  const text = typeof message === "string" ? message : message(facts);
  // Which code belongs to which status is checked above.
  return errorResponse(status, code as never, status === 400 ? [text] : text);
}

function seats({ seats: named }: Facts): string {
  return Array.isArray(named) ? named.join(", ") : String(named ?? "");
}

function left({ refundable }: Facts): string {
  return refundable === undefined ? "" : ` (${refundable})`;
}
