import { CASE_STATUSES, MAX_FLIGHT_DECISIONS } from "@travel-booking/domain";
import { z } from "zod";
import { cents, identifier, outputId, outputText, utcDateTime, wholeNumber } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { chosenSeats, holdId, MAX_PASSENGERS } from "./booking.ts";
import { cabin, flightSchema, MAX_DISRUPTION_REASON } from "./flight.ts";
import { listOf, pageParameters, pageQuerySchema } from "./page.ts";
import { outputSeatNumber } from "./seat-map.ts";

const caseStatus = z
  .enum(CASE_STATUSES)
  .meta({ id: "DisruptionStatus", description: "It is `open` until it is answered or needs no answer." });

const journeySchema = z
  .strictObject({
    flightId: outputId.describe("The flight."),
    departsAt: utcDateTime.describe("When it departs."),
    durationDays: z.number().describe("How long the journey takes, in days."),
    cabin,
    seats: z
      .array(outputSeatNumber.describe("A seat number."))
      .max(MAX_PASSENGERS)
      .describe("One per passenger, in their order; empty where none are chosen."),
  })
  .meta({ id: "Journey", description: "What a booking travels on." });

/** Words of an open vocabulary: more may be added. */
const word = outputText(32);

export const disruptionSchema = z
  .strictObject({
    id: outputId.describe("Identifies the case."),
    disruptionId: outputId.describe("The carrier's decision about the flight; all bookings on it have the same."),
    bookingId: outputId.describe("The booking that it is about."),
    kind: word.describe(
      "What has happened to the flight: `cancelled`, `retimed`, or `equipment_changed` where it goes with another ship.",
    ),
    significant: z.boolean().describe("Whether it is reason enough to have all money back, whatever the time."),
    reason: outputText(MAX_DISRUPTION_REASON).nullable().describe("Why, in the carrier's words; else null."),
    revision: wholeNumber.min(1).describe("How often the case has changed; an answer names the one it saw."),
    status: caseStatus,
    before: journeySchema.describe("What was agreed."),
    after: journeySchema.nullable().describe("What takes its place; null where nothing does."),
    actions: z
      .array(word.describe("An action."))
      .max(10)
      .describe("What the client may answer: `accept`, `rebook`, `refund`."),
    respondBy: utcDateTime
      .nullable()
      .describe("Until when the client may answer; null where there is nothing to answer."),
    onSilence: word.nullable().describe("What happens without an answer: `refund`, `accept`; null where nothing does."),
    outcome: word
      .nullable()
      .describe(
        "What has become of it: `accepted`, `moved` where nobody answered to that, `rebooked`, `refunded`; null while it is open, or where nothing had to be done.",
      ),
    refundAmount: cents.describe("What goes back because of it, in cents of the booking's currency."),
    createdAt: utcDateTime.describe("When the booking was told."),
    resolvedAt: utcDateTime.nullable().describe("When it was resolved; null while it is open."),
  })
  .meta({ id: "Disruption", description: "What a change of its flight by the carrier means for one booking." });
export type DisruptionBody = z.infer<typeof disruptionSchema>;

export const disruptionListQuerySchema = z.strictObject({
  status: caseStatus.describe("Only those of this status.").optional(),
  flightId: identifier.describe("Only those of bookings that were on this flight.").optional(),
  ...pageParameters,
});
export type DisruptionListQuery = z.infer<typeof disruptionListQuerySchema>;

export const listDisruptionsOperation = {
  id: "listDisruptions",
  method: "GET",
  path: "/v1/disruptions",
  service: "query",
  tag: "Disruptions",
  summary: "List disruptions of the account's bookings, newest first",
  description:
    "Filters hold together. A page may end early, even without an entry, and others behind it, where much was looked through.",
  scope: "bookings:read",
  query: disruptionListQuerySchema,
  success: { status: 200, body: listOf(disruptionSchema) },
  errors: { 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const getDisruptionOperation = {
  id: "getDisruption",
  method: "GET",
  path: "/v1/disruptions/{id}",
  service: "query",
  tag: "Disruptions",
  summary: "Get a disruption of a booking",
  scope: "bookings:read",
  success: { status: 200, body: disruptionSchema },
  errors: { 404: ["disruption_not_found"] },
} as const satisfies Operation;

export const listAlternativesOperation = {
  id: "listDisruptionAlternatives",
  method: "GET",
  path: "/v1/disruptions/{id}/alternatives",
  service: "query",
  tag: "Disruptions",
  summary: "List the flights that a booking may move to, the nearest departure first",
  description:
    "Those on sale that go there from the same spaceport within 14 days of what was agreed, with room for the party in its cabin; none where there is nothing to answer any more. A page may end early, even without an entry, and others behind it, where much was looked through.",
  scope: "bookings:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(flightSchema) },
  errors: { 400: ["invalid_cursor"], 404: ["disruption_not_found"] },
} as const satisfies Operation;

export const answerDisruptionSchema = z
  .strictObject({
    revision: z
      .int()
      .min(1)
      .max(MAX_FLIGHT_DECISIONS)
      .meta({ format: "int32" })
      .describe("The `revision` of the disruption that the client has seen."),
  })
  .meta({ id: "AnswerDisruption", description: "What the client answers to." });
export type AnswerDisruptionRequest = z.infer<typeof answerDisruptionSchema>;

const ANSWER = {
  method: "POST",
  service: "command",
  tag: "Disruptions",
  scope: "bookings:write",
  body: answerDisruptionSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: disruptionSchema },
} as const;
const ANSWERED = ["disruption_resolved", "disruption_superseded"] as const;

export const acceptDisruptionOperation = {
  ...ANSWER,
  id: "acceptDisruption",
  path: "/v1/disruptions/{id}/accept",
  summary: "Accept what takes the place of a journey",
  description: "The same answer again changes nothing.",
  errors: { 404: ["disruption_not_found"], 409: ANSWERED, 422: ["nothing_to_accept"] },
} as const satisfies Operation;

export const rebookDisruptionSchema = answerDisruptionSchema
  .extend({
    flightId: identifier.describe("The flight to move to."),
    holdId: holdId.optional(),
    seats: chosenSeats.optional(),
  })
  .meta({
    id: "RebookDisruption",
    description: "The flight that the client moves to, and where the party wants to sit.",
  });
export type RebookDisruptionRequest = z.infer<typeof rebookDisruptionSchema>;

export const rebookDisruptionOperation = {
  ...ANSWER,
  id: "rebookDisruption",
  path: "/v1/disruptions/{id}/rebook",
  summary: "Move to another flight because of a disruption",
  description:
    "To one of the alternatives, in the same cabin. What was paid stays as it is: nothing is due, and nothing goes back. Without seats the party keeps its own where they are free, or chooses later. The same flight again changes nothing.",
  body: rebookDisruptionSchema,
  errors: {
    400: ["seat_named_twice"],
    404: ["disruption_not_found", "flight_not_found", "hold_not_found", "hold_used", "hold_expired", "hold_released"],
    409: [
      ...ANSWERED,
      "cabin_sold_out",
      "flight_sold_out",
      "flight_departed",
      "flight_cancelled",
      "sales_closed",
      "seat_blocked",
      "seat_taken",
      "seat_held",
      "seat_price_fixed",
      "too_many_seat_changes",
    ],
    422: [
      "rebook_not_allowed",
      "cabin_not_on_flight",
      "seat_unknown",
      "seat_in_other_cabin",
      "seat_count_mismatch",
      "hold_cabin_mismatch",
      "hold_flight_mismatch",
    ],
  },
} as const satisfies Operation;

export const refundDisruptionOperation = {
  ...ANSWER,
  id: "refundDisruption",
  path: "/v1/disruptions/{id}/refund",
  summary: "Have all money back because of a disruption",
  description:
    "The booking is cancelled, and everything paid goes back, whatever the time. The same answer again changes nothing.",
  errors: { 404: ["disruption_not_found"], 409: ANSWERED },
} as const satisfies Operation;

export const listBookingDisruptionsOperation = {
  id: "listBookingDisruptions",
  method: "GET",
  path: "/v1/bookings/{id}/disruptions",
  service: "query",
  tag: "Disruptions",
  summary: "List the disruptions of a booking, oldest first",
  scope: "bookings:read",
  success: {
    status: 200,
    body: z
      .strictObject({ data: z.array(disruptionSchema).max(MAX_FLIGHT_DECISIONS).describe("Oldest first.") })
      .meta({ id: "BookingDisruptions", description: "The disruptions of a booking." }),
  },
  errors: { 404: ["booking_not_found"] },
} as const satisfies Operation;
