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
  summary: "Have events delivered to a URL; the signing secret is shown this once",
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
  summary: "List webhook endpoints, newest first",
  scope: "webhooks:read",
  success: { status: 200, body: webhookEndpointListSchema },
} as const satisfies Operation;

export const deleteWebhookEndpointOperation = {
  id: "deleteWebhookEndpoint",
  method: "DELETE",
  path: "/v1/webhook-endpoints/{id}",
  service: "command",
  summary: "Stop deliveries and delete the webhook endpoint",
  scope: "webhooks:write",
  success: { status: 204, body: null },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const testWebhookEndpointOperation = {
  id: "testWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/test",
  service: "dispatcher",
  summary: "Send a sample event at once and report the answer",
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
  summary: "List the attempts to deliver to a webhook endpoint, newest first",
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
  summary: "How deliveries to a webhook endpoint stand",
  scope: "webhooks:read",
  success: { status: 200, body: webhookStatusSchema },
  errors: NO_ENDPOINT,
} as const satisfies Operation;

export const resumeWebhookEndpointOperation = {
  id: "resumeWebhookEndpoint",
  method: "POST",
  path: "/v1/webhook-endpoints/{id}/resume",
  service: "command",
  summary: "Deliver to a paused webhook endpoint again",
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
  summary: "Deliver the events since a moment again",
  scope: "webhooks:write",
  body: replayWebhookEndpointSchema,
  idempotencyKey: "accepted",
  success: { status: 202, body: null },
  errors: NO_ENDPOINT,
} as const satisfies Operation;
