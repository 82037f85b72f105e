import type { Instant } from "@travel-booking/domain";
import { z } from "zod";
import { timestamp } from "../bodies/timestamp.ts";
import { outputId, outputText, utcDateTime, wholeNumber } from "../fields.ts";
import { eventSchema } from "./event.ts";

/** `exhausted`: the attempt failed and was the last. */
const DELIVERY_STATUSES = ["succeeded", "failed", "exhausted"] as const;

export const webhookDeliverySchema = z
  .strictObject({
    id: outputId.describe("Identifies the attempt."),
    endpointId: outputId.describe("The webhook endpoint it went to."),
    status: z.enum(DELIVERY_STATUSES).meta({
      id: "WebhookDeliveryStatus",
      description:
        "It is `succeeded` where the endpoint answered 2xx; `exhausted` where it failed and was the last attempt.",
    }),
    responseStatus: wholeNumber.min(100).max(999).nullable().describe("What was answered; null where nothing was."),
    error: outputText(500).nullable().describe("Why it failed, for people; null where it succeeded."),
    durationMs: z.number().min(0).describe("From the start of the attempt to its end, in milliseconds."),
    deliveredAt: utcDateTime.describe("When it was attempted."),
    signature: outputText(64).describe("The value of `Service-Signature` that was sent."),
    event: eventSchema.describe("Exactly as the endpoint received it."),
  })
  .meta({ id: "WebhookDelivery", description: "One attempt to deliver an event to a webhook endpoint." });
export type WebhookDeliveryBody = z.infer<typeof webhookDeliverySchema>;

/** An attempt as the log of attempts stores it. */
interface RecordedDelivery extends Omit<WebhookDeliveryBody, "deliveredAt" | "event"> {
  readonly deliveredAt: Instant;
}

/** @param event the JSON that was sent, byte for byte. */
export function webhookDeliveryJson(delivery: RecordedDelivery, event: string): string {
  const { id, endpointId, status, responseStatus, error, durationMs, deliveredAt, signature } = delivery;
  const outcome = { id, endpointId, status, responseStatus, error, durationMs };
  const head = JSON.stringify({ ...outcome, deliveredAt: timestamp(deliveredAt), signature });
  return `${head.slice(0, -1)},"event":${event}}`;
}
