import { z } from "zod";
import { EVENT_TYPES } from "../enumerations.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { phrase } from "../fields/phrase.ts";
import { identifier } from "../fields/text.ts";
import { momentParameter, utcDateTime } from "../fields/time.ts";
import { bookingSchema } from "./booking.ts";
import { pageParameters } from "./page.ts";
import { paymentSchema } from "./payment.ts";

const head = {
  id: z.string(),
  createdAt: utcDateTime,
  /** `YYYY-MM-DD` */
  apiVersion: z.string(),
};

/** The object right after the change, and the values its changed fields had; null for a field that had none. */
const changed = strict({ object: bookingSchema, previousAttributes: z.record(z.string(), z.unknown()) });
const booking = strict({ object: bookingSchema, previousAttributes: z.null() });
const payment = strict({ object: paymentSchema, previousAttributes: z.null() });

/** What an account is told of its bookings and payments. */
export const eventSchema = z.discriminatedUnion("type", [
  strict({ ...head, type: z.literal("booking.changed"), data: changed }),
  strict({ ...head, type: oneOf(["booking.confirmed", "booking.cancelled"]), data: booking }),
  strict({ ...head, type: oneOf(["payment.succeeded", "payment.failed"]), data: payment }),
]);
export type EventBody = z.infer<typeof eventSchema>;

/** Seconds a request may wait for an event. */
export const LONGEST_EVENT_WAIT = 30;

const wait = z
  .string({ error: phrase })
  .regex(/^(?:\d|[12]\d|30)$/, `must be a whole number from 0 to ${LONGEST_EVENT_WAIT}`)
  .transform(Number)
  .default(0)
  .meta({ type: "integer", minimum: 0, maximum: LONGEST_EVENT_WAIT });

/** `createdAfter` and `createdBefore` are exclusive; `after` is an event's id, exclusive, and reads on in ascending order. */
export const eventListQuerySchema = strict({
  type: oneOf(EVENT_TYPES).optional(),
  bookingId: identifier.optional(),
  createdAfter: momentParameter.optional(),
  createdBefore: momentParameter.optional(),
  order: oneOf(["asc", "desc"]).optional(),
  after: identifier.optional(),
  wait,
  ...pageParameters,
}).check((context) => {
  const { after, order } = context.value;
  if (after === undefined || order !== "desc") return;
  context.issues.push({ code: "custom", message: "must be asc where after is given", path: ["order"], input: order });
});
export type EventListQuery = z.infer<typeof eventListQuerySchema>;
