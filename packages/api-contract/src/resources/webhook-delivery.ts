import { z } from "zod";
import { DELIVERY_STATUSES } from "../enumerations.ts";
import { wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject } from "../fields/objects.ts";
import { outputId, outputText } from "../fields/text.ts";
import { utcDateTime } from "../fields/time.ts";
import { eventSchema } from "./event.ts";

/** One attempt to deliver an event to an endpoint. */
export const webhookDeliverySchema = strictObject({
  id: outputId.describe("Identifies the attempt."),
  endpointId: outputId.describe("The webhook endpoint it went to."),
  status: oneOf(DELIVERY_STATUSES).describe(
    "`succeeded` where the endpoint answered 2xx; `exhausted` where it failed and was the last attempt.",
  ),
  responseStatus: wholeNumber.min(100).max(999).nullable().describe("What was answered; null where nothing was."),
  error: outputText(500).nullable().describe("Why it failed, for people; null where it succeeded."),
  durationMs: z.number().min(0).describe("From the start of the attempt to its end, in milliseconds."),
  deliveredAt: utcDateTime.describe("When it was attempted."),
  signature: outputText(64).describe("The value of `Service-Signature` that was sent."),
  event: eventSchema.describe("Exactly as the endpoint received it."),
}).meta({ id: "WebhookDelivery", description: "One attempt to deliver an event to a webhook endpoint." });
export type WebhookDeliveryBody = z.infer<typeof webhookDeliverySchema>;
