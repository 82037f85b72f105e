import type { Operation } from "../operation.ts";
import { listOf, pageQuerySchema } from "../resources/page.ts";
import { webhookDeliverySchema } from "../resources/webhook-delivery.ts";
import {
  createWebhookEndpointSchema,
  newWebhookEndpointSchema,
  replayWebhookEndpointSchema,
  testWebhookEndpointSchema,
  webhookEndpointListSchema,
  webhookStatusSchema,
} from "../resources/webhook-endpoint.ts";

const NO_ENDPOINT = { 404: "There is no webhook endpoint with this id." };

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
  errors: {
    422: "The account has a hundred webhook endpoints already, or the Idempotency-Key was already used with a different request.",
  },
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
  description: "One entry per attempt, kept for 90 days.",
  scope: "webhooks:read",
  query: pageQuerySchema,
  success: { status: 200, body: listOf(webhookDeliverySchema) },
  errors: NO_ENDPOINT,
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
