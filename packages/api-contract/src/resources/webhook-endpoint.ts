import {
  type Instant,
  isReservedHeader,
  MAX_ATTEMPTS_PER_SECOND,
  MAX_HEADER_NAME,
  MAX_HEADER_VALUE,
  MAX_RECEIVER_HEADERS,
  MAX_WEBHOOK_ENDPOINTS,
  PUBLIC_EVENT_TYPES,
  type ReceiverHeaders,
  USUAL_EVENTS,
} from "@travel-booking/domain";
import { z } from "zod";
import { timestamp } from "../bodies/timestamp.ts";
import { nextInstantParameter, outputId, outputText, text, uniqueArray, utcDateTime, wholeNumber } from "../fields.ts";
import type { Operation } from "../operation.ts";
import { eventType, USUAL_TYPES } from "./event.ts";
import { listOf, pageQuerySchema } from "./page.ts";
import { webhookDeliverySchema } from "./webhook-delivery.ts";
import { healthFields } from "./webhook-endpoint-health.ts";

const MAX_URL = 2_048;

const fields = {
  id: outputId.describe("Identifies the webhook endpoint."),
  url: outputText(MAX_URL).meta({ format: "uri" }).describe("Where events are delivered to."),
  events: z.array(eventType).max(PUBLIC_EVENT_TYPES.length).describe("The types it gets."),
};

const webhookEndpointSchema = z.strictObject(fields).meta({
  id: "WebhookEndpoint",
  description: "A URL that events are delivered to.",
});
export type WebhookEndpointBody = z.infer<typeof webhookEndpointSchema>;

/** The answer to the creation of an endpoint. No other answer has the secret. */
const newWebhookEndpointSchema = z
  .strictObject({
    ...fields,
    secret: outputText(128).describe("Signs every delivery; shown this once."),
  })
  .meta({ id: "WebhookEndpointWithSecret", description: "A webhook endpoint with its signing secret." });
export type NewWebhookEndpointBody = z.infer<typeof newWebhookEndpointSchema>;

/** A list without pages. */
const webhookEndpointListSchema = z.strictObject({
  data: z.array(webhookEndpointSchema).max(MAX_WEBHOOK_ENDPOINTS).describe("All of them, newest first."),
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these belongs in a URL (RFC 3986 §2).
const CONTROL = /[\0-\x1f\x7f-\x9f]/;

/** RFC 3986 is stricter than URL parsers. So are clients that validate answers by schema (`format: uri`). */
const WEB_URI =
  /^https?:\/\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2}|\[[\da-f:.]+\])+(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

const URI_RULES = "https://, a host in ASCII, and everything else that is not of RFC 3986 percent-encoded";

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Refuses invalid characters. URL parsers drop them, so the called URL would differ from the stored one. */
const urlText = text({ max: MAX_URL, blank: "refused" }).check((context) => {
  const { value: input } = context;
  const refuse = (message: string) => context.issues.push({ code: "custom", message, input });
  if (input.trim() === "") return;
  if (CONTROL.test(input)) refuse("must not contain control characters");
  else if (input !== input.trim()) refuse("must not begin or end with white space");
  else if (isWeb(input) && !WEB_URI.test(input)) refuse(`must be a URI: ${URI_RULES}`);
});

const NAMES = [...PUBLIC_EVENT_TYPES, USUAL_EVENTS] as const;

const subscription = z
  .enum(NAMES)
  .meta({ id: "EventSubscription", description: "A type of event, or `*` for those that every endpoint knows." });

/** A token (RFC 9110 §5.6.2). */
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Visible ASCII, with spaces in between. */
const HEADER_VALUE = /^[!-~](?:[ -~]*[!-~])?$/;

const receiverHeaders = z
  .record(
    z.string().max(MAX_HEADER_NAME).regex(HEADER_NAME, { error: "must be the name of a header" }),
    z
      .string()
      .max(MAX_HEADER_VALUE)
      .regex(HEADER_VALUE, { error: "must be visible ASCII, with spaces in between only" }),
  )
  .check(({ value, issues }) => {
    const refuse = (message: string, ...path: string[]) => issues.push({ code: "custom", message, path, input: value });
    const names = Object.keys(value);
    if (names.length > MAX_RECEIVER_HEADERS) refuse(`must have at most ${MAX_RECEIVER_HEADERS} names`);
    if (new Set(names.map((name) => name.toLowerCase())).size < names.length)
      refuse("must have each name once, whatever its case");
    for (const name of names.filter(isReservedHeader))
      refuse("must not be set: it is the service's own, or about the connection", name);
  })
  .meta({ maxProperties: MAX_RECEIVER_HEADERS });

const pace = wholeNumber
  .min(1)
  .max(MAX_ATTEMPTS_PER_SECOND)
  .nullable()
  .describe("How many attempts may begin within a second; null for no limit.");

/** Whether the URL may be called is checked later, because that takes a DNS look-up. */
const changeable = {
  url: urlText
    .meta({ format: "uri" })
    .describe("An HTTPS URL whose host is publicly reachable, at port 443, 80 or one above 1023."),
  events: uniqueArray(subscription, { min: 1, max: NAMES.length }).describe(
    `The types it is to get. \`*\` stands for ${USUAL_TYPES}, and is shown as them.`,
  ),
};

export const createWebhookEndpointSchema = z
  .strictObject({
    ...changeable,
    headers: receiverHeaders
      .describe("Headers that every delivery is to have; their values are never shown again.")
      .optional(),
    maxPerSecond: pace.optional(),
  })
  .meta({ id: "CreateWebhookEndpoint", description: "Where events are to be delivered to, and which." });
export type CreateWebhookEndpointRequest = z.infer<typeof createWebhookEndpointSchema>;

export const changeWebhookEndpointSchema = z
  .strictObject({
    url: changeable.url.optional(),
    events: changeable.events.optional(),
    headers: receiverHeaders
      .describe(
        "Replace all that there are, none by `{}`; a `url` of another origin drops those that are not sent along.",
      )
      .optional(),
    maxPerSecond: pace.optional(),
  })
  .meta({ id: "ChangeWebhookEndpoint", description: "What changes; the rest stays." });
export type ChangeWebhookEndpointRequest = z.infer<typeof changeWebhookEndpointSchema>;

const rotateWebhookSecretSchema = z
  .strictObject({
    expirePreviousNow: z
      .boolean()
      .describe("Whether the secret before stops signing at once instead of after 24 hours; false by default.")
      .optional(),
  })
  .meta({ id: "RotateWebhookSecret", description: "How a signing secret is to be replaced." });
export type RotateWebhookSecretRequest = z.infer<typeof rotateWebhookSecretSchema>;

const rotatedWebhookSecretSchema = z
  .strictObject({
    id: fields.id,
    secret: outputText(128).describe("The new signing secret; shown this once."),
    previousSecretExpiresAt: utcDateTime.describe("Until then the secret before it signs, too."),
  })
  .meta({ id: "RotatedWebhookSecret", description: "The new signing secret of a webhook endpoint." });
export type RotatedWebhookSecretBody = z.infer<typeof rotatedWebhookSecretSchema>;

const webhookStatusSchema = z
  .strictObject({
    ...healthFields,
    owed: wholeNumber.min(0).describe("How many deliveries have not been made yet."),
    oldestOwedAt: utcDateTime.nullable().describe("When the oldest event still owed happened."),
    headerNames: z
      .array(outputText(MAX_HEADER_NAME))
      .max(MAX_RECEIVER_HEADERS)
      .describe("The names of the receiver's own headers."),
    maxPerSecond: pace,
  })
  .meta({ id: "WebhookEndpointStatus", description: "How deliveries to a webhook endpoint stand." });
export type WebhookStatusBody = z.infer<typeof webhookStatusSchema>;

const testWebhookEndpointSchema = z
  .strictObject({
    type: eventType.describe("The type of the sample event; the endpoint need not subscribe to it."),
  })
  .meta({ id: "TestWebhookEndpoint", description: "Which sample event is to be sent." });
export type TestWebhookEndpointRequest = z.infer<typeof testWebhookEndpointSchema>;

export const replayWebhookEndpointSchema = z
  .strictObject({
    since: nextInstantParameter.describe("Events from this moment on are delivered again."),
  })
  .meta({ id: "ReplayWebhookEndpoint", description: "From when on events are to be delivered again." });
export type ReplayWebhookEndpointRequest = z.infer<typeof replayWebhookEndpointSchema>;

/** What of an endpoint stands in its status. */
interface StatusOfEndpoint {
  readonly registeredAt: Instant;
  readonly headers?: ReceiverHeaders;
  readonly maxPerSecond?: number;
}

interface WebhookStatus extends Pick<WebhookStatusBody, "status" | "reason" | "owed"> {
  /** Null: since the registration of the endpoint. */
  readonly since: Instant | null;
  readonly oldestOwedAt: Instant | null;
}

export function webhookStatusBody(
  { status, reason, since, owed, oldestOwedAt }: WebhookStatus,
  { registeredAt, headers, maxPerSecond }: StatusOfEndpoint,
): WebhookStatusBody {
  return {
    status,
    reason,
    since: timestamp(since ?? registeredAt),
    owed,
    oldestOwedAt: oldestOwedAt === null ? null : timestamp(oldestOwedAt),
    headerNames: [...(headers?.names ?? [])],
    maxPerSecond: maxPerSecond ?? null,
  };
}

const NO_ENDPOINT = { 404: ["endpoint_not_found"] } as const;

export const createWebhookEndpointOperation = {
  id: "createWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints",
  service: "command",
  tag: "Webhook endpoints",
  summary: "Have events delivered to a URL",
  description:
    "Deliveries begin with the events after its creation. The secret signs every one of them, and is shown this once.",
  scope: "webhooks:write",
  body: createWebhookEndpointSchema,
  idempotencyKey: "accepted",
  success: { status: 201, body: newWebhookEndpointSchema },
  errors: { 400: ["target_refused"], 422: ["too_many_endpoints"] },
} as const satisfies Operation;

export const listWebhookEndpointsOperation = {
  id: "listWebhookEndpoints",
  method: "GET",
  path: "/v1/webhook-endpoints",
  service: "query",
  tag: "Webhook endpoints",
  summary: "List webhook endpoints, newest first",
  scope: "webhooks:read",
  success: { status: 200, body: webhookEndpointListSchema },
} as const satisfies Operation;

export const getWebhookEndpointOperation = {
  id: "getWebhookEndpoint",
  method: "GET",
  path: "/v1/webhook-endpoints/{id}",
  service: "query",
  tag: "Webhook endpoints",
  summary: "Get a webhook endpoint",
  scope: "webhooks:read",
  success: { status: 200, body: webhookEndpointSchema },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const changeWebhookEndpointOperation = {
  id: "changeWebhookEndpoint",
  method: "PATCH",
  path: "/v1/webhook-endpoints/{id}",
  service: "command",
  tag: "Webhook endpoints",
  summary: "Change a webhook endpoint",
  description:
    "What is owed goes to the new URL, under the same secret. A paused endpoint stays paused. Events of added types are delivered from then on; a replay sends those of before.",
  scope: "webhooks:write",
  body: changeWebhookEndpointSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: webhookEndpointSchema },
  errors: { ...NO_ENDPOINT, 400: ["target_refused"] },
} as const satisfies Operation;

export const deleteWebhookEndpointOperation = {
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/v1/webhook-endpoints/{id}",
  service: "command",
  tag: "Webhook endpoints",
  summary: "Stop deliveries and delete the webhook endpoint",
  description: "No attempt starts after the answer.",
  scope: "webhooks:write",
  success: { status: 204, body: null },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const testWebhookEndpointOperation = {
  id: "testWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/test",
  service: "dispatcher",
  tag: "Webhook endpoints",
  summary: "Send a sample event at once and report the answer",
  description: "The sample is signed like any other event. The endpoint need not get that type otherwise.",
  scope: "webhooks:write",
  body: testWebhookEndpointSchema,
  idempotencyKey: "accepted",
  success: { status: 200, body: webhookDeliverySchema },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const listWebhookDeliveriesOperation = {
  id: "listWebhookDeliveries",
  method: "GET",
  path: "/v1/webhook-endpoints/{id}/deliveries",
  service: "query",
  tag: "Webhook endpoints",
  summary: "List the attempts to deliver to a webhook endpoint, newest first",
  description: "One entry per attempt, kept for 90 days, unless the endpoint has had 10,000 newer ones.",
  scope: "webhooks:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(webhookDeliverySchema) },
  errors: { ...NO_ENDPOINT, 400: ["invalid_cursor"] },
} as const satisfies Operation;

export const getWebhookStatusOperation = {
  id: "getWebhookStatus",
  method: "GET",
  path: "/v1/webhook-endpoints/{id}/status",
  service: "query",
  tag: "Webhook endpoints",
  summary: "Get how deliveries to a webhook endpoint stand",
  description:
    "It is `failing` where the last attempt failed, `paused` after days of nothing but failure, or where the endpoint said it is gone.",
  scope: "webhooks:read",
  success: { status: 200, body: webhookStatusSchema },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const resumeWebhookEndpointOperation = {
  id: "resumeWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/resume",
  service: "command",
  tag: "Webhook endpoints",
  summary: "Deliver to a paused webhook endpoint again",
  description: "What it has missed is delivered first, in order.",
  scope: "webhooks:write",
  idempotencyKey: "accepted",
  success: { status: 200, body: webhookStatusSchema },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const rotateWebhookSecretOperation = {
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/rotate-secret",
  service: "command",
  tag: "Webhook endpoints",
  summary: "Replace the signing secret of a webhook endpoint",
  description:
    "For 24 hours `webhook-signature` has the signatures of both secrets, the new one's first, and `Service-Signature` that of the old one; then the new secret signs alone. With `expirePreviousNow` it does so at once.",
  scope: "webhooks:write",
  body: rotateWebhookSecretSchema,
  bodyOptional: true,
  idempotencyKey: "accepted",
  success: { status: 200, body: rotatedWebhookSecretSchema },
  errors: { ...NO_ENDPOINT, 409: ["secret_just_rotated"] },
} as const satisfies Operation;

export const replayWebhookEndpointOperation = {
  id: "replayWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/replay",
  service: "dispatcher",
  tag: "Webhook endpoints",
  summary: "Deliver the events since a moment again",
  description: "Events since a moment are delivered once more, under the ids they have.",
  scope: "webhooks:write",
  body: replayWebhookEndpointSchema,
  idempotencyKey: "accepted",
  success: { status: 202, body: null },
  errors: NO_ENDPOINT,
} as const satisfies Operation;
