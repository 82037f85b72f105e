import type { Instant } from "@travel-booking/domain";
import type { WebhookDeliveryBody } from "../resources/webhook-delivery.ts";
import { timestamp } from "./timestamp.ts";

/** One attempt to deliver an event, as it was recorded. */
export interface RecordedDelivery extends Omit<WebhookDeliveryBody, "deliveredAt" | "event"> {
  readonly deliveredAt: Instant;
}

/** The JSON of an attempt with the event that was sent, byte for byte. */
export function webhookDeliveryJson(delivery: RecordedDelivery, event: string): string {
  const { id, endpointId, status, responseStatus, error, durationMs, deliveredAt, signature } = delivery;
  const outcome = { id, endpointId, status, responseStatus, error, durationMs };
  const head = JSON.stringify({ ...outcome, deliveredAt: timestamp(deliveredAt), signature });
  return `${head.slice(0, -1)},"event":${event}}`;
}
