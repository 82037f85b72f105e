import { z } from "zod";
import { ENDPOINT_STATUSES, EVENT_TYPES } from "../enumerations.ts";
import { wholeNumber } from "../fields/money.ts";
import { distinct, oneOf, strict } from "../fields/objects.ts";
import { text } from "../fields/text.ts";
import { momentParameter, utcDateTime } from "../fields/time.ts";

const fields = { id: z.string(), url: z.string(), events: z.array(oneOf(EVENT_TYPES)) };

export const webhookEndpointSchema = strict(fields);
export type WebhookEndpointBody = z.infer<typeof webhookEndpointSchema>;

/** As it is answered once, when it is made. */
export const newWebhookEndpointSchema = strict({ ...fields, secret: z.string() });
export type NewWebhookEndpointBody = z.infer<typeof newWebhookEndpointSchema>;

/** A list without pages: an account has at most a hundred of them. */
export const webhookEndpointListSchema = strict({ data: z.array(webhookEndpointSchema) });

// biome-ignore lint/suspicious/noControlCharactersInRegex: none of these belongs in a URL (RFC 3986 §2).
const CONTROL = /[\0-\x1f\x7f-\x9f]/;

/** Parsers of URLs drop what has no place in them: what is kept would not be what is called. */
const urlText = text({ max: 2_048, blank: "refused" }).check((context) => {
  const { value: input } = context;
  const refuse = (message: string) => context.issues.push({ code: "custom", message, input });
  if (input.trim() === "") return;
  if (CONTROL.test(input)) refuse("must not contain control characters");
  else if (input !== input.trim()) refuse("must not begin or end with white space");
});

/** Whether the URL is one that may be called is checked apart, for it takes looking its host up. */
export const createWebhookEndpointSchema = strict({
  url: urlText,
  events: distinct(oneOf(EVENT_TYPES), { min: 1, max: EVENT_TYPES.length }),
});
export type CreateWebhookEndpointRequest = z.infer<typeof createWebhookEndpointSchema>;

/** How deliveries to an endpoint stand. `owed`: deliveries not made yet. */
export const webhookStatusSchema = strict({
  status: oneOf(ENDPOINT_STATUSES),
  /** For people; null where it is active. */
  reason: z.string().nullable(),
  /** Since when the status is this. */
  since: utcDateTime,
  owed: wholeNumber.min(0),
  oldestOwedAt: utcDateTime.nullable(),
});
export type WebhookStatusBody = z.infer<typeof webhookStatusSchema>;

export const testWebhookEndpointSchema = strict({ type: oneOf(EVENT_TYPES) });
export type TestWebhookEndpointRequest = z.infer<typeof testWebhookEndpointSchema>;

/** `since` in milliseconds since the epoch. */
export const replayWebhookEndpointSchema = strict({ since: momentParameter });
export type ReplayWebhookEndpointRequest = z.infer<typeof replayWebhookEndpointSchema>;
