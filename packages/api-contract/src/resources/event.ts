import { z } from "zod";
import { EVENT_TYPES, type EventType } from "../enumerations.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { identifier, outputId, outputText } from "../fields/text.ts";
import { instantParameter, utcDateTime } from "../fields/time.ts";
import { validationMessage } from "../fields/validation-message.ts";
import { bookingSchema } from "./booking.ts";
import { pageParameters } from "./page.ts";
import { paymentSchema } from "./payment.ts";

/** The object right after the change, and the values its changed fields had; null for a field that had none. */
const changed = strictObject({
  object: bookingSchema,
  previousAttributes: z.record(z.string(), z.unknown()).describe("The changed fields with the values they had."),
}).meta({ id: "ChangedBooking", description: "The booking right after the change, and what it was before." });
const booking = strictObject({ object: bookingSchema, previousAttributes: z.null() }).meta({
  id: "BookingThen",
  description: "The booking as it was right after the event.",
});
const payment = strictObject({ object: paymentSchema, previousAttributes: z.null() }).meta({
  id: "PaymentThen",
  description: "The payment as it was right after the event.",
});

function event<const Type extends EventType, Data extends z.ZodType>(
  type: Type,
  data: Data,
  { id, description }: { readonly id: string; readonly description: string },
) {
  return strictObject({
    id: outputId.describe("Identifies the event; every delivery of it has the same."),
    createdAt: utcDateTime.describe("When it happened."),
    apiVersion: outputText(10).meta({ format: "date" }).describe("The version of the API its object is shaped by."),
    type: z.literal(type),
    data,
  }).meta({ id, description });
}

/** Every type of event with its shape. */
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
} as const satisfies Readonly<Record<EventType, z.ZodType>>;

/** What an account is told of its bookings and payments. */
export const eventSchema = z
  .discriminatedUnion("type", [
    eventSchemas["booking.confirmed"],
    eventSchemas["booking.changed"],
    eventSchemas["booking.cancelled"],
    eventSchemas["payment.succeeded"],
    eventSchemas["payment.failed"],
  ])
  .meta({ id: "Event", description: "Something that happened to a booking or a payment." });
export type EventBody = z.infer<typeof eventSchema>;

/** Seconds a request may wait for an event. */
export const MAX_EVENT_WAIT_SECONDS = 30;

const wait = z
  .string({ error: validationMessage })
  .regex(/^(?:\d|[12]\d|30)$/, `must be a whole number from 0 to ${MAX_EVENT_WAIT_SECONDS}`)
  .transform(Number)
  .default(0)
  .meta({
    type: "integer",
    format: "int32",
    minimum: 0,
    maximum: MAX_EVENT_WAIT_SECONDS,
    default: 0,
    description: "Seconds to wait for an event where there is none yet.",
  });

/** `createdAfter` and `createdBefore` are exclusive; `after` is an event's id, exclusive, and reads on in ascending order. */
export const eventListQuerySchema = strictObject({
  type: oneOf(EVENT_TYPES).describe("Only events of this type.").optional(),
  bookingId: identifier.describe("Only events of this booking and its payments.").optional(),
  createdAfter: instantParameter.describe("Only events later than this moment.").optional(),
  createdBefore: instantParameter.describe("Only events earlier than this moment.").optional(),
  order: oneOf(["asc", "desc"]).describe("By time: `desc` unless told; `asc` where `after` is given.").optional(),
  after: identifier.describe("Only events after the one with this id, in ascending order.").optional(),
  wait,
  ...pageParameters,
}).check((context) => {
  const { after, order } = context.value;
  if (after === undefined || order !== "desc") return;
  context.issues.push({ code: "custom", message: "must be asc where after is given", path: ["order"], input: order });
});
export type EventListQuery = z.infer<typeof eventListQuerySchema>;
