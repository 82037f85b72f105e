import { z } from "zod";
import { ENDPOINT_STATUSES, EVENT_TYPES } from "../enumerations.ts";
import { wholeNumber } from "../fields/money.ts";
import { oneOf, strictObject, uniqueArray } from "../fields/objects.ts";
import { outputId, outputText, text } from "../fields/text.ts";
import { instantParameter, utcDateTime } from "../fields/time.ts";

const MAX_URL = 2_048;
const MAX_ENDPOINTS = 100;

const eventType = oneOf(EVENT_TYPES).meta({ id: "EventType", description: "What kind of thing an event tells." });

const fields = {
  id: outputId.describe("Identifies the webhook endpoint."),
  url: outputText(MAX_URL).meta({ format: "uri" }).describe("Where events are delivered to."),
  events: z.array(eventType).max(EVENT_TYPES.length).describe("The types it gets."),
};

export const webhookEndpointSchema = strictObject(fields).meta({
  id: "WebhookEndpoint",
  description: "A URL that events are delivered to.",
});
export type WebhookEndpointBody = z.infer<typeof webhookEndpointSchema>;

/** As it is answered once, when it is made. */
export const newWebhookEndpointSchema = strictObject({
  ...fields,
  secret: outputText(128).describe("Signs every delivery; shown this once."),
}).meta({ id: "NewWebhookEndpoint", description: "A webhook endpoint with its signing secret." });
export type NewWebhookEndpointBody = z.infer<typeof newWebhookEndpointSchema>;

/** A list without pages: an account has at most a hundred of them. */
export const webhookEndpointListSchema = strictObject({
  data: z.array(webhookEndpointSchema).max(MAX_ENDPOINTS).describe("All of them, newest first."),
});

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these belongs in a URL (RFC 3986 §2).
const CONTROL = /[\0-\x1f\x7f-\x9f]/;

/** A web address as RFC 3986 has it: parsers of URLs take more, and whoever reads the answer by its schema does not. */
const WEB_URI =
  /^https?:\/\/(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2}|\[[\da-f:.]+\])+(?:\/(?:[\w.~!$&'()*+,;=:@/-]|%[\da-f]{2})*)?(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?(?:#(?:[\w.~!$&'()*+,;=:@/?-]|%[\da-f]{2})*)?$/i;

const HOW = "https://, a host in ASCII, and everything else that is not of RFC 3986 percent-encoded";

const isWeb = (text: string) => URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);

/** Parsers of URLs drop what has no place in them: what is kept would not be what is called. */
const urlText = text({ max: MAX_URL, blank: "refused" }).check((context) => {
  const { value: input } = context;
  const refuse = (message: string) => context.issues.push({ code: "custom", message, input });
  if (input.trim() === "") return;
  if (CONTROL.test(input)) refuse("must not contain control characters");
  else if (input !== input.trim()) refuse("must not begin or end with white space");
  else if (isWeb(input) && !WEB_URI.test(input)) refuse(`must be a URI: ${HOW}`);
});

/** Whether the URL is one that may be called is checked apart, for it takes looking its host up. */
export const createWebhookEndpointSchema = strictObject({
  url: urlText.meta({ format: "uri" }).describe("An HTTPS URL whose host is publicly reachable."),
  events: uniqueArray(eventType, { min: 1, max: EVENT_TYPES.length }).describe("The types it is to get."),
}).meta({ id: "CreateWebhookEndpoint", description: "Where events are to be delivered to, and which." });
export type CreateWebhookEndpointRequest = z.infer<typeof createWebhookEndpointSchema>;

/** How deliveries to an endpoint stand. `owed`: deliveries not made yet. */
export const webhookStatusSchema = strictObject({
  status: oneOf(ENDPOINT_STATUSES).describe("Whether deliveries arrive, fail, or are not attempted any more."),
  reason: outputText(500).nullable().describe("Why, for people; null where it is active."),
  since: utcDateTime.describe("Since when the status is this."),
  owed: wholeNumber.min(0).describe("How many deliveries have not been made yet."),
  oldestOwedAt: utcDateTime.nullable().describe("When the oldest event still owed happened."),
}).meta({ id: "WebhookEndpointStatus", description: "How deliveries to a webhook endpoint stand." });
export type WebhookStatusBody = z.infer<typeof webhookStatusSchema>;

export const testWebhookEndpointSchema = strictObject({
  type: oneOf(EVENT_TYPES).describe("The type of the sample event; the endpoint need not subscribe to it."),
}).meta({ id: "TestWebhookEndpoint", description: "Which sample event is to be sent." });
export type TestWebhookEndpointRequest = z.infer<typeof testWebhookEndpointSchema>;

/** `since` in milliseconds since the epoch. */
export const replayWebhookEndpointSchema = strictObject({
  since: instantParameter.describe("Events from this moment on are delivered again."),
}).meta({ id: "ReplayWebhookEndpoint", description: "From when on events are to be delivered again." });
export type ReplayWebhookEndpointRequest = z.infer<typeof replayWebhookEndpointSchema>;
