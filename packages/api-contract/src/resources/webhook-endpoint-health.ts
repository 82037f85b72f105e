import { z } from "zod";
import { outputId, outputText, utcDateTime } from "../fields.ts";

const ENDPOINT_STATUSES = ["active", "failing", "paused"] as const;

export const healthFields = {
  status: z.enum(ENDPOINT_STATUSES).meta({
    id: "WebhookEndpointState",
    description: "Whether deliveries arrive, fail, or are not attempted any more.",
  }),
  reason: outputText(500).nullable().describe("Why, for people; null where it is active."),
  since: utcDateTime.describe("Since when the status is this."),
};

/** The object of an event about a webhook endpoint. */
export const endpointHealthSchema = z
  .strictObject({ endpointId: outputId.describe("Identifies the webhook endpoint."), ...healthFields })
  .meta({ id: "WebhookEndpointHealth", description: "Whether a webhook endpoint accepts its deliveries." });
export type EndpointHealthBody = z.infer<typeof endpointHealthSchema>;
