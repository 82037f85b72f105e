import { z } from "zod";
import { DELIVERY_STATUSES } from "../enumerations.ts";
import { wholeNumber } from "../fields/money.ts";
import { oneOf, strict } from "../fields/objects.ts";
import { utcDateTime } from "../fields/time.ts";
import { eventSchema } from "./event.ts";

/** One attempt to deliver an event to an endpoint. */
export const webhookDeliverySchema = strict({
  id: z.string(),
  endpointId: z.string(),
  status: oneOf(DELIVERY_STATUSES),
  /** Null where nothing was answered. */
  responseStatus: wholeNumber.nullable(),
  /** Why it failed, for people; null where it succeeded. */
  error: z.string().nullable(),
  durationMs: z.number().min(0),
  /** When it was attempted. */
  deliveredAt: utcDateTime,
  /** The value of `Service-Signature` that was sent. */
  signature: z.string(),
  /** Exactly as it was sent. */
  event: eventSchema,
});
export type WebhookDeliveryBody = z.infer<typeof webhookDeliverySchema>;
