import { PUBLIC_EVENT_TYPES, type PublicEventType, USUAL_EVENT_TYPES } from "@travel-booking/domain";
import { z } from "zod";
import {
  identifier,
  instantParameter,
  integerParameter,
  listParameter,
  nextInstantParameter,
  noObject,
  outputId,
  outputText,
  utcDateTime,
} from "../fields.ts";
import type { Operation } from "../operation.ts";
import { bookingSchema, previousBookingSchema } from "./booking.ts";
import { disruptionSchema } from "./disruption.ts";
import { flightStatusSchema } from "./flight.ts";
import { listOf, pageParameters } from "./page.ts";
import { paymentSchema } from "./payment.ts";
import { refundSchema } from "./refund.ts";
import { seatHoldSchema } from "./seat-hold.ts";
import { travelDocumentSchema } from "./travel-document.ts";
import { endpointHealthSchema } from "./webhook-endpoint-health.ts";

const changed = z
  .strictObject({
    object: bookingSchema,
    previousAttributes: previousBookingSchema,
  })
  .meta({ id: "ChangedBooking", description: "The booking right after the change, and what it was before." });
const booking = z.strictObject({ object: bookingSchema, previousAttributes: noObject }).meta({
  id: "BookingThen",
  description: "The booking as it was right after the event.",
});
const payment = z.strictObject({ object: paymentSchema, previousAttributes: noObject }).meta({
  id: "PaymentThen",
  description: "The payment as it was right after the event.",
});
const document = z
  .strictObject({
    object: travelDocumentSchema
      .extend({ bookingId: outputId.describe("The booking it was uploaded for.") })
      .meta({ id: "DocumentOfBooking", description: "A travel document as it is listed, and its booking." }),
    previousAttributes: noObject,
  })
  .meta({ id: "DocumentThen", description: "The travel document as it was right after the event." });
const refund = z.strictObject({ object: refundSchema, previousAttributes: noObject }).meta({
  id: "RefundThen",
  description: "The refund as it was right after the event.",
});
const hold = z.strictObject({ object: seatHoldSchema, previousAttributes: noObject }).meta({
  id: "SeatHoldThen",
  description: "The seat hold as it was right after the event.",
});
const disruption = z.strictObject({ object: disruptionSchema, previousAttributes: noObject }).meta({
  id: "DisruptionThen",
  description: "The disruption as it was right after the event.",
});
const flight = z.strictObject({ object: flightStatusSchema, previousAttributes: noObject }).meta({
  id: "FlightThen",
  description: "How the flight stood right after the event.",
});
const endpoint = z.strictObject({ object: endpointHealthSchema, previousAttributes: noObject }).meta({
  id: "WebhookEndpointThen",
  description: "The webhook endpoint as it was right then.",
});

export const eventType = z
  .enum(PUBLIC_EVENT_TYPES)
  .meta({ id: "EventType", description: "What kind of thing an event tells." });

function event<const Type extends PublicEventType, Data extends z.ZodType>(
  type: Type,
  data: Data,
  { id, description }: { readonly id: string; readonly description: string },
) {
  return z
    .strictObject({
      id: outputId.describe("Identifies the event; every delivery of it has the same."),
      createdAt: utcDateTime.describe("When it happened."),
      apiVersion: outputText(10).meta({ format: "date" }).describe("The version of the API its object is shaped by."),
      type: z.literal(type),
      data,
    })
    .meta({ id, description });
}

export const eventSchemas = {
  "booking.confirmed": event("booking.confirmed", booking, {
    id: "BookingConfirmedEvent",
    description: "A booking has been paid, or costs nothing.",
  }),
  "booking.changed": event("booking.changed", changed, {
    id: "BookingChangedEvent",
    description: "Something visible of a booking other than its status has changed.",
  }),
  "booking.cancelled": event("booking.cancelled", booking, {
    id: "BookingCancelledEvent",
    description: "A booking has been cancelled, by whomever or by time.",
  }),
  "payment.succeeded": event("payment.succeeded", payment, {
    id: "PaymentSucceededEvent",
    description: "Money for a booking has arrived.",
  }),
  "payment.failed": event("payment.failed", payment, {
    id: "PaymentFailedEvent",
    description: "A payment has come to nothing.",
  }),
  "booking.created": event("booking.created", booking, {
    id: "BookingCreatedEvent",
    description: "Passengers have been booked on a flight.",
  }),
  "document.verified": event("document.verified", document, {
    id: "DocumentVerifiedEvent",
    description: "A travel document is good, by the reviewer or an operator.",
  }),
  "document.rejected": event("document.rejected", document, {
    id: "DocumentRejectedEvent",
    description: "A travel document is of no use, by the reviewer or an operator.",
  }),
  "refund.succeeded": event("refund.succeeded", refund, {
    id: "RefundSucceededEvent",
    description: "Money has been given back.",
  }),
  "refund.failed": event("refund.failed", refund, {
    id: "RefundFailedEvent",
    description: "Money could not be given back; the refund stays `pending` until an operator has dealt with it.",
  }),
  "hold.expired": event("hold.expired", hold, {
    id: "HoldExpiredEvent",
    description: "Nobody has used a seat hold in time.",
  }),
  "disruption.opened": event("disruption.opened", disruption, {
    id: "DisruptionOpenedEvent",
    description: "A booking is told what its carrier has changed.",
  }),
  "disruption.resolved": event("disruption.resolved", disruption, {
    id: "DisruptionResolvedEvent",
    description: "It is settled what becomes of a booking whose flight was changed.",
  }),
  "disruption.revised": event("disruption.revised", disruption, {
    id: "DisruptionRevisedEvent",
    description: "Before an answer the carrier has changed something once more.",
  }),
  "flight.changed": event("flight.changed", flight, {
    id: "FlightChangedEvent",
    description: "A carrier has changed a flight on which the account has bookings or seat holds.",
  }),
  "endpoint.failing": event("endpoint.failing", endpoint, {
    id: "EndpointFailingEvent",
    description: "Another webhook endpoint of the account does not accept its deliveries.",
  }),
  "endpoint.recovered": event("endpoint.recovered", endpoint, {
    id: "EndpointRecoveredEvent",
    description: "Another webhook endpoint of the account accepts its deliveries again.",
  }),
} as const satisfies Readonly<Record<PublicEventType, z.ZodType>>;

export const eventSchema = z
  .discriminatedUnion("type", [
    eventSchemas["booking.confirmed"],
    eventSchemas["booking.changed"],
    eventSchemas["booking.cancelled"],
    eventSchemas["payment.succeeded"],
    eventSchemas["payment.failed"],
    eventSchemas["booking.created"],
    eventSchemas["document.verified"],
    eventSchemas["document.rejected"],
    eventSchemas["refund.succeeded"],
    eventSchemas["refund.failed"],
    eventSchemas["hold.expired"],
    eventSchemas["disruption.opened"],
    eventSchemas["disruption.resolved"],
    eventSchemas["flight.changed"],
    eventSchemas["endpoint.failing"],
    eventSchemas["endpoint.recovered"],
    eventSchemas["disruption.revised"],
  ])
  .meta({ id: "Event", description: "Something that happened, and what it happened to right after it." });
export type EventBody = z.infer<typeof eventSchema>;

/** The maximum of the parameter `wait`. */
const MAX_EVENT_WAIT_SECONDS = 30;

const wait = integerParameter({
  min: 0,
  max: MAX_EVENT_WAIT_SECONDS,
  default: 0,
  description: "Seconds to wait for an event where there is none yet.",
});

/** The usual types, for descriptions. */
export const USUAL_TYPES = USUAL_EVENT_TYPES.map((type) => `\`${type}\``).join(", ");

/** `createdAfter`, `createdBefore` and `after` are exclusive. */
export const eventListQuerySchema = z
  .strictObject({
    type: listParameter(eventType, { max: PUBLIC_EVENT_TYPES.length })
      .describe(`Only events of these types: repeated, or with commas between them. Left out, ${USUAL_TYPES}.`)
      .optional(),
    bookingId: identifier.describe("Only events of this booking and its payments.").optional(),
    createdAfter: instantParameter.describe("Only events later than this moment.").optional(),
    createdBefore: nextInstantParameter.describe("Only events earlier than this moment.").optional(),
    order: z.enum(["asc", "desc"]).describe("By time: `desc` unless told; `asc` where `after` is given.").optional(),
    after: identifier.describe("Only events after the one with this id, in ascending order.").optional(),
    wait,
    ...pageParameters,
  })
  .check((context) => {
    const { after, order } = context.value;
    if (after === undefined || order !== "desc") return;
    context.issues.push({ code: "custom", message: "must be asc where after is given", path: ["order"], input: order });
  });
export type EventListQuery = z.infer<typeof eventListQuerySchema>;

export const listEventsOperation = {
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  service: "query",
  tag: "Events",
  summary: "List events, newest first, or follow them as they come",
  description:
    "Newest first, or from one event on: `after` continues in ascending order, and with `wait` the request is kept until there is something new. Types beyond the usual ones are listed where `type` names them. An event is listed once everything else shows what it tells, and no earlier one appears after it. Test events are never listed.",
  scope: "events:read",
  query: eventListQuerySchema,
  repeatable: ["type"],
  success: { status: 200, body: listOf(eventSchema) },
  errors: { 400: ["invalid_cursor", "unknown_event"] },
} as const satisfies Operation;

export const getEventOperation = {
  id: "getEvent",
  method: "GET",
  path: "/v1/events/{id}",
  service: "query",
  tag: "Events",
  summary: "Get an event",
  description:
    "Shows whether a delivery is genuine without its signature being checked. Test events can be had for 30 days.",
  scope: "events:read",
  success: { status: 200, body: eventSchema },
  errors: { 404: ["event_not_found"] },
} as const satisfies Operation;
