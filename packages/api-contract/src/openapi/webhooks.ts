import { PUBLIC_EVENT_TYPES, type PublicEventType } from "@travel-booking/domain";
import { eventExample } from "../examples/examples.ts";
import type { Tag } from "../operation.ts";
import { eventSchemas } from "../resources/event.ts";
import type { Schemas } from "./schemas.ts";
import type { OperationObject, ParameterObject, Schema } from "./types.ts";

const SUMMARIES: Readonly<Record<PublicEventType, string>> = {
  "booking.confirmed": "A booking became confirmed",
  "booking.changed": "A booking changed",
  "booking.cancelled": "A booking was cancelled",
  "payment.succeeded": "A payment succeeded",
  "payment.failed": "A payment failed",
  "booking.created": "A booking was made",
  "document.verified": "A travel document is good",
  "document.rejected": "A travel document is of no use",
  "refund.succeeded": "Money was given back",
  "refund.failed": "Money could not be given back",
  "hold.expired": "A seat hold expired",
  "disruption.opened": "A booking's flight was changed",
  "disruption.resolved": "What becomes of it is settled",
  "flight.changed": "A flight was changed",
  "endpoint.failing": "Another endpoint fails",
  "endpoint.recovered": "Another endpoint works again",
  "disruption.revised": "What a disruption of a booking means has changed",
};

const header = (name: string, description: string, schema: Schema): ParameterObject => ({
  name,
  in: "header",
  required: true,
  description,
  schema,
});

/** The headers of a delivery (docs/rules.md#signatures). */
const parameters: ParameterObject[] = [
  header("Service-Signature", "The HMAC-SHA256 of the body as it came, under the endpoint's secret, in hex.", {
    type: "string",
    pattern: "^[0-9a-f]{64}$",
    maxLength: 64,
  }),
  header("webhook-id", "The id of the event; the same on every attempt.", { type: "string", maxLength: 255 }),
  header("webhook-timestamp", "When this attempt was made, in Unix seconds.", {
    type: "string",
    pattern: "^\\d+$",
    maxLength: 20,
  }),
  header("webhook-signature", "A signature after Standard Webhooks, over id, timestamp and body.", {
    type: "string",
    pattern: "^v1,",
    maxLength: 128,
  }),
];

/** The requests that the service sends, by type of event. */
export function webhookObjects(schemas: Schemas): Record<string, { post: OperationObject }> {
  return Object.fromEntries(PUBLIC_EVENT_TYPES.map((type) => [type, { post: webhookObject(type, schemas) }]));
}

function webhookObject(type: PublicEventType, schemas: Schemas): OperationObject {
  const schema = schemas.response(eventSchemas[type]);
  const examples = { [type.replace(".", "-")]: { summary: SUMMARIES[type], value: eventExample(type) } };
  return {
    operationId: `on${type.split(".").map(capitalised).join("")}`,
    // Differs from the tag of the operations on endpoints, because generators make one class for each tag.
    tags: ["Webhooks" satisfies Tag],
    summary: SUMMARIES[type],
    description:
      "Sent to every webhook endpoint that gets this type: in order for each booking, seat hold, flight or other endpoint, and again until it is answered 2xx. Check `Service-Signature` before trusting it, and skip the event ids you have had.",
    security: [{}],
    parameters,
    requestBody: { description: "The event.", required: true, content: { "application/json": { schema, examples } } },
    responses: {
      "2XX": { description: "It has arrived. The body is not looked at.", headers: {} },
      "410": { description: "The endpoint is gone: it is paused, and no attempt follows.", headers: {} },
      default: { description: "It has not arrived; further attempts follow for about three days.", headers: {} },
    },
  };
}

function capitalised(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
