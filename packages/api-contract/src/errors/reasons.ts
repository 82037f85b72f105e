/** Why an error happens, and what the client can do about it. */
export type Reason = readonly [cause: string, cure: string];

const BEGIN_ANEW = "Send a new request, with a new `Idempotency-Key`.";
const TRY_AGAIN = "Send the same request again in a moment, with the same `Idempotency-Key`.";
const OTHER_SEATS = "Read the seat map and choose other seats.";
const CHECK_ID = "Check the id: it must be one that this account was given.";
const LIST_FLIGHTS = "List the flights and use one of their ids.";

/**
 * Every `Service-Error-Code`, by status. Codes are for programs (docs/rules.md#errors): they are added and never
 * renamed. Their words may change. `docs/errors.md` is made from this.
 */
export const ERROR_REASONS = {
  400: {
    invalid_request: [
      "A parameter, a header or the body is not as it must be.",
      "Mend what `message` names; it has one entry per problem.",
    ],
    malformed_http: [
      "The bytes are no well-formed HTTP request, name no single host, or did not come in time.",
      "Send it with a common HTTP library.",
    ],
    malformed_path: ["The path is not valid percent-encoded UTF-8.", "Encode each part of the path."],
    unsupported_version: [
      "There is no such version of the API.",
      "Send a `Service-Version` that the message names, or none.",
    ],
    ambiguous_credentials: ["An API key and an access token were sent together.", "Send one of them."],
    request_too_large: ["More would follow from the request than can be stored at once.", "Ask for less at once."],
    invalid_cursor: [
      "The cursor is of another list, or of other filters, or not one of this service.",
      "Begin at the first page, and leave the filters as they are from page to page.",
    ],
    unknown_event: [
      "What `after` names is not the id of one of the account's events.",
      "Use the id of an event that was listed, or `createdAfter`.",
    ],
    moment_in_future: ["The moment of `asOf` lies in the future.", "Name a moment that has passed."],
    invalid_file: [
      "The file is no PDF, PNG or JPEG, is empty or too large, or the upload is malformed.",
      "Send one file of these types as multipart/form-data.",
    ],
    target_refused: [
      "Webhooks can't be delivered to this address.",
      "Use an HTTPS address that the Internet reaches, at port 443, 80 or above 1023.",
    ],
    unknown_token: [
      "The payment gateway does not know the token. Nothing was charged, and the Idempotency-Key is free.",
      "Have the gateway make a new token; in the sandbox use one that the message names.",
    ],
    no_seats: ["No seat is named.", "Name one to nine seats."],
    seat_named_twice: ["A seat is named more than once.", "Name each seat once."],
    too_many_seats: ["More seats are named than a hold takes.", "Hold at most nine seats at once."],
    born_in_future: ["The `dateOfBirth` lies in the future.", "Send the date on the passport."],
    too_much_metadata: ["There would be more than 20 keys in `metadata`.", "Remove keys: an empty value does."],
    forged_event: [
      "It is no recent event that the payment gateway has signed.",
      "Only the payment gateway calls this address; compare `STRIPE_WEBHOOK_SECRET` with its.",
    ],
    unsupported_grant_type: ["The token endpoint has one grant only.", "Send `grant_type=client_credentials`."],
    invalid_scope: [
      "The client may not use a scope that was asked for.",
      "Ask for scopes of the client, or for none, which means all of them.",
    ],
  },
  401: {
    credential_missing: [
      "The request has no credential.",
      "Send an API key as `x-api-key`, or an access token as `Authorization: Bearer`.",
    ],
    invalid_api_key: [
      "The API key is unknown or revoked.",
      "Compare it with the key that was handed out; ask the operator for a new one.",
    ],
    invalid_access_token: [
      "The access token is expired or revoked, or no access token.",
      "Exchange the client's credentials for a new one.",
    ],
    api_key_as_bearer: [
      "An API key was sent as `Authorization: Bearer`, which is for access tokens.",
      "Send it as `x-api-key`.",
    ],
    invalid_client: [
      "The OAuth client is unknown, revoked or suspended, or its secret is wrong.",
      "Compare `client_id` and `client_secret` with what was handed out.",
    ],
  },
  403: {
    insufficient_scope: [
      "The credential lacks the scope of this operation.",
      "Use one that has it; `WWW-Authenticate` names the scope.",
    ],
    account_suspended: ["The account is suspended.", "Ask the operator."],
    quota_exceeded: [
      "A quota of the account is reached.",
      "Delete what is not needed, or ask the operator for more; the message names the quota.",
    ],
  },
  404: {
    path_not_found: ["Nothing is at this path.", "Compare the path with the reference."],
    destination_not_found: ["There is no destination with this id.", "List the destinations and use one of their ids."],
    flight_not_found: ["There is no flight with this id.", LIST_FLIGHTS],
    hold_not_found: ["The account has no seat hold with this id.", CHECK_ID],
    hold_used: ["A booking has used the seat hold.", "Hold seats anew, or book without a hold."],
    hold_expired: ["The seat hold has expired.", "Hold seats anew, and book within 15 minutes."],
    hold_released: ["The seat hold was released.", "Hold seats anew, or book without a hold."],
    booking_not_found: ["The account has no booking with this id.", CHECK_ID],
    booking_not_yet_made: ["The booking did not exist yet at `asOf`.", "Name a later moment."],
    passenger_not_found: ["The booking has no passenger at this place.", "Count from 0, in the order of `passengers`."],
    payment_not_found: ["The account has no payment with this id.", CHECK_ID],
    profile_not_found: ["The account has no saved passenger with this id.", CHECK_ID],
    disruption_not_found: ["The account has no disruption with this id.", CHECK_ID],
    event_not_found: ["The account has no event with this id.", CHECK_ID],
    endpoint_not_found: ["The account has no webhook endpoint with this id.", CHECK_ID],
  },
  405: {
    method_not_allowed: ["The path has other methods.", "Use one that `Allow` names."],
  },
  409: {
    key_in_progress: [
      "A request with the same `Idempotency-Key` is still being worked on.",
      "Send the same request again after `Retry-After` seconds.",
    ],
    concurrent_change: ["Another request changes the same thing at this moment.", TRY_AGAIN],
    attempt_given_up: ["This attempt was cut off and undone, or another one came first.", BEGIN_ANEW],
    seat_blocked: ["The seat is not for sale.", OTHER_SEATS],
    seat_taken: ["The seat is booked.", OTHER_SEATS],
    seat_held: ["The seat is held.", `${OTHER_SEATS} A hold ends after 15 minutes.`],
    seats_owed: [
      "The seats left are owed to passengers who are booked without a seat.",
      "Choose another cabin or flight.",
    ],
    cabin_sold_out: ["Not enough seats are left in the cabin.", "Choose another cabin or flight."],
    quota_exceeded: [
      "A quota of the account is reached.",
      "Pay, cancel or release some first, or ask the operator for more; the message names the quota.",
    ],
    flight_sold_out: ["The other flight has no room for the party in its cabin.", "Choose one of the alternatives."],
    flight_departed: ["The flight has departed.", "Choose another flight."],
    flight_cancelled: [
      "The carrier has cancelled the flight. What was paid goes back.",
      "Choose another flight; read the booking's disruptions.",
    ],
    disruption_resolved: [
      "It was answered otherwise, or the time to answer is over.",
      "Read the disruption; its `outcome` says what became of it.",
    ],
    disruption_superseded: [
      "The flight was changed once more since, or another one takes its place.",
      "Read the disruption, and answer with its `revision`.",
    ],
    sales_closed: ["The flight is not on sale. What was sold before goes on.", "Choose another flight."],
    hold_used: ["A booking has used the seat hold.", "Nothing is left to release."],
    hold_expired: ["The seat hold has expired.", "Nothing is left to release."],
    hold_released: ["The seat hold was released before.", "Nothing is left to release."],
    seat_price_fixed: [
      "The booking is paid, and the new seats cost more.",
      "Choose seats that cost no more, or cancel and book again.",
    ],
    no_higher_cabin: ["The flight has no higher cabin.", "Choose another reward."],
    booking_cancelled: ["The booking is cancelled.", "Make a new booking."],
    booking_pending: ["The booking is not paid yet.", "Pay for it first."],
    already_paid: ["The booking is paid.", "Nothing is left to pay."],
    payment_in_progress: [
      "Another payment of the booking is under way.",
      "Read that payment until it is no longer `pending`.",
    ],
    payment_pending: [
      "The change would alter the price while a payment is under way.",
      "Wait for the payment, or cancel the booking.",
    ],
    transfer_pending: [
      "A bank transfer for the booking is pending already.",
      "Transfer the money with its reference, or pay by card.",
    ],
    too_many_payments: [
      "The booking has as many payments as it may have, failed ones included.",
      "Make another booking, and pay for that.",
    ],
    too_many_seat_changes: ["The seats of the booking were changed as often as can be.", "Keep the seats."],
    too_many_changes: [
      "The changes of the booking or the saved passenger take as much room as they may.",
      "Keep it as it is; or book anew, or delete the passenger and save it anew.",
    ],
    payment_not_succeeded: [
      "The payment has not succeeded, so there is nothing to refund.",
      "Wait until it is `succeeded`.",
    ],
    too_many_refunds: ["The payment has as many refunds as it may have.", "Refund all that is left in one."],
    payment_fully_refunded: ["All of the payment is refunded.", "Nothing is left to refund."],
    too_many_redemptions: [
      "The booking has as many redemptions as it may have, refused ones included.",
      "Redeem points for another booking, or for none.",
    ],
    not_enough_points: [
      "The account has fewer points than the reward takes.",
      "Choose another reward, or earn more first.",
    ],
    email_taken: [
      "Another saved passenger of the account has this e-mail address.",
      "Change that passenger, or use another address.",
    ],
    secret_just_rotated: [
      "The secret before the last rotation is still in use.",
      "Wait until `previousSecretExpiresAt`, or send `expirePreviousNow`.",
    ],
  },
  422: {
    key_reused: [
      "The `Idempotency-Key` was used with another request.",
      "Use a new key for each payment, booking or change; the same one only for retries of it.",
    ],
    seat_unknown: ["The flight has no such seat.", OTHER_SEATS],
    seats_span_cabins: ["The seats are not all in one cabin.", "Hold the seats of each cabin separately."],
    seat_in_other_cabin: ["A seat is in another cabin than the booking's.", OTHER_SEATS],
    seat_count_mismatch: ["There are more or fewer seats than passengers.", "Name one seat per passenger."],
    passenger_count_mismatch: [
      "There are more or fewer passengers than the booking has.",
      "Cancel and book again to add or remove one.",
    ],
    cabin_not_on_flight: ["The flight has no such cabin.", "Use a cabin of the flight's `fares`."],
    hold_cabin_mismatch: ["The seat hold is in another cabin.", "Book the cabin of the hold."],
    hold_flight_mismatch: ["The seat hold is on another flight.", "Book the flight of the hold."],
    transfer_too_late: ["The flight departs too soon for a bank transfer.", "Pay by card or wallet."],
    rebook_not_allowed: [
      "The other flight goes elsewhere, or too early or late, or the booking is on it.",
      "Choose one of the alternatives.",
    ],
    nothing_to_accept: ["Nothing takes the place of the journey, so it can't be accepted.", "Have the money back."],
    refund_too_large: [
      "The amount is more than what is left to refund.",
      "Refund at most `amount` less `amountRefunded`.",
    ],
    amount_invalid: [
      "The amount is no whole number of cents, at least 1, or no multiple of what the payment gateway can move in the currency.",
      "Send cents, of which the message names the multiple.",
    ],
    reward_needs_booking: ["The reward is for a booking, and none is named.", "Send `bookingId`."],
    credit_currency_mismatch: [
      "The credit is in another currency than the booking.",
      "Name a booking in that currency, or none.",
    ],
    too_many_documents: [
      "The booking has as many travel documents as it may have.",
      "Upload none that is there already.",
    ],
    too_many_endpoints: ["The account has as many webhook endpoints as it may have.", "Delete one first."],
  },
  429: {
    rate_limited: [
      "More requests a minute than the credential, or the address, may send.",
      "Wait `Retry-After` seconds.",
    ],
  },
  500: {
    internal_error: [
      "The service failed.",
      "Try again later, with the same `Idempotency-Key`; name `X-Request-Id` when asking for help.",
    ],
    outcome_unknown: [
      "It is not known yet whether the request was carried out.",
      "Send it again after `Retry-After` seconds, with the same `Idempotency-Key`: it is carried out once.",
    ],
  },
  502: {
    outcome_unknown: [
      "The service went away before it answered; only the reverse proxy says so.",
      "Send it again, with the same `Idempotency-Key`: it is carried out once.",
    ],
  },
  503: {
    overloaded: ["The service has too much to do. Nothing was attempted.", "Try again after `Retry-After` seconds."],
    not_yet_readable: ["What was written last can't be read yet.", "Try again after `Retry-After` seconds."],
    out_of_reach: [
      "A store or another service is out of reach. Nothing was attempted.",
      "Try again after `Retry-After` seconds.",
    ],
    disk_full: [
      "The service is short of disk space. Nothing was attempted; reads go on.",
      "Try again after `Retry-After` seconds.",
    ],
    read_only: [
      "The service is started to be looked at only, and changes nothing. Nothing was attempted; reads go on.",
      "Ask its operator which address takes changes.",
    ],
    gateway_unavailable: [
      "The payment gateway takes no payments at the moment. Nothing is charged yet.",
      "Try again after `Retry-After` seconds, with the same `Idempotency-Key`.",
    ],
    printing_unavailable: [
      "No boarding pass can be drawn at the moment.",
      "Try again after `Retry-After` seconds, or ask for `png` or `json`.",
    ],
    not_ready: [
      "The service is not ready; only `/health/ready` says so, with `starting`, `stopping`, `disk_full` or `store` for a message.",
      "Look at `/health/ready` on the operator port, which names what is missing.",
    ],
  },
  504: {
    outcome_unknown: [
      "The service did not answer in time; only the reverse proxy says so.",
      "Send it again, with the same `Idempotency-Key`: it is carried out once.",
    ],
  },
} as const satisfies Readonly<Record<number, Readonly<Record<string, Reason>>>>;

export type ErrorStatus = keyof typeof ERROR_REASONS;
/** The codes of a status. */
export type ErrorCode<Status extends ErrorStatus = ErrorStatus> = Status extends ErrorStatus
  ? keyof (typeof ERROR_REASONS)[Status]
  : never;

/** @param code a code of this status. */
export function reasonOf(status: ErrorStatus, code: ErrorCode): Reason {
  const reasons: Readonly<Record<string, Reason>> = ERROR_REASONS[status];
  const reason = reasons[code];
  if (reason === undefined) throw new Error(`no error of ${status} has the code ${code}`);
  return reason;
}
