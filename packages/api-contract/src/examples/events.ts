import { type PublicEventType, USUAL_EVENT_TYPES } from "@travel-booking/domain";
import type { z } from "zod";
import type { EventBody } from "../resources/event.ts";
import type { WebhookDeliveryBody } from "../resources/webhook-delivery.ts";
import type {
  changeWebhookEndpointSchema,
  createWebhookEndpointSchema,
  NewWebhookEndpointBody,
  RotatedWebhookSecretBody,
  replayWebhookEndpointSchema,
  WebhookEndpointBody,
  WebhookStatusBody,
} from "../resources/webhook-endpoint.ts";
import { booking, disruption } from "./bookings.ts";
import { flightStatus, seatHold } from "./flights.ts";
import { declined, payment, refund } from "./payments.ts";
import { verifiedPassport } from "./travellers.ts";

const head = {
  id: "evt_01JC8Q6R9T1V3X5Z7B9D1F3H",
  createdAt: "2026-11-02T09:31:00.000Z",
  apiVersion: "2026-11-01",
};

const passport = { ...verifiedPassport, bookingId: booking.id };

export const events: { readonly [Type in PublicEventType]: Extract<EventBody, { type: Type }> } = {
  "booking.confirmed": { ...head, type: "booking.confirmed", data: { object: booking, previousAttributes: null } },
  "booking.changed": {
    ...head,
    type: "booking.changed",
    data: { object: booking, previousAttributes: { reference: null } },
  },
  "booking.cancelled": {
    ...head,
    type: "booking.cancelled",
    data: { object: { ...booking, status: "cancelled" }, previousAttributes: null },
  },
  "payment.succeeded": { ...head, type: "payment.succeeded", data: { object: payment, previousAttributes: null } },
  "payment.failed": { ...head, type: "payment.failed", data: { object: declined, previousAttributes: null } },
  "booking.created": {
    ...head,
    type: "booking.created",
    data: { object: { ...booking, status: "pending", documents: [] }, previousAttributes: null },
  },
  "document.verified": { ...head, type: "document.verified", data: { object: passport, previousAttributes: null } },
  "document.rejected": {
    ...head,
    type: "document.rejected",
    data: {
      object: { ...passport, status: "rejected", rejectionReason: "the document has expired" },
      previousAttributes: null,
    },
  },
  "refund.succeeded": { ...head, type: "refund.succeeded", data: { object: refund, previousAttributes: null } },
  "refund.failed": {
    ...head,
    type: "refund.failed",
    data: { object: { ...refund, status: "pending" }, previousAttributes: null },
  },
  "hold.expired": {
    ...head,
    type: "hold.expired",
    data: { object: { ...seatHold, status: "expired" }, previousAttributes: null },
  },
  "disruption.opened": {
    ...head,
    type: "disruption.opened",
    data: {
      object: { ...disruption, status: "open", outcome: null, refundAmount: 0, resolvedAt: null },
      previousAttributes: null,
    },
  },
  "disruption.resolved": {
    ...head,
    type: "disruption.resolved",
    data: { object: disruption, previousAttributes: null },
  },
  "disruption.revised": {
    ...head,
    type: "disruption.revised",
    data: {
      object: { ...disruption, revision: 2, status: "open", outcome: null, refundAmount: 0, resolvedAt: null },
      previousAttributes: null,
    },
  },
  "flight.changed": { ...head, type: "flight.changed", data: { object: flightStatus, previousAttributes: null } },
  "endpoint.failing": {
    ...head,
    type: "endpoint.failing",
    data: {
      object: {
        endpointId: "we_01JC8Q8U2W4Y6A8C0E2G4J6M",
        status: "failing",
        reason: "the endpoint answered 503",
        since: "2026-11-02T09:30:58.000Z",
      },
      previousAttributes: null,
    },
  },
  "endpoint.recovered": {
    ...head,
    type: "endpoint.recovered",
    data: {
      object: {
        endpointId: "we_01JC8Q8U2W4Y6A8C0E2G4J6M",
        status: "active",
        reason: null,
        since: "2026-11-02T09:30:58.000Z",
      },
      previousAttributes: null,
    },
  },
};

export const newEndpoint: z.input<typeof createWebhookEndpointSchema> = {
  url: "https://hooks.example.com/travel",
  events: ["booking.confirmed", "booking.cancelled"],
};

export const endpoint: WebhookEndpointBody = {
  ...newEndpoint,
  id: "we_01JC8Q8U2W4Y6A8C0E2G4J6M",
  events: ["booking.confirmed", "booking.cancelled"],
};

export const changedEndpoint: WebhookEndpointBody = {
  ...endpoint,
  events: [...USUAL_EVENT_TYPES, "refund.succeeded"],
};

export const createdEndpoint: NewWebhookEndpointBody = {
  ...endpoint,
  secret: "whsec_VGhpcyBpcyBhbiBleGFtcGxlIGFuZCBubyBzZWNyZXQ=",
};

export const rotatedSecret: RotatedWebhookSecretBody = {
  id: endpoint.id,
  secret: "whsec_QW5vdGhlciBleGFtcGxlLCBhbmQgbm8gc2VjcmV0Lg==",
  previousSecretExpiresAt: "2026-11-03T09:00:00.000Z",
};

export const endpointStatus: WebhookStatusBody = {
  status: "active",
  reason: null,
  since: "2026-11-02T09:00:00.000Z",
  owed: 0,
  oldestOwedAt: null,
  headerNames: ["X-Api-Key"],
  maxPerSecond: 50,
};

export const endpointChange: z.input<typeof changeWebhookEndpointSchema> = {
  events: ["*", "refund.succeeded"],
  headers: { "X-Api-Key": "not-a-secret" },
  maxPerSecond: 50,
};

export const replay: z.input<typeof replayWebhookEndpointSchema> = { since: "2026-11-01T00:00:00Z" };

export const delivery: WebhookDeliveryBody = {
  id: "whd_01JC8Q9W4Y6A8C0E2G4J6M8P",
  endpointId: endpoint.id,
  status: "succeeded",
  responseStatus: 204,
  error: null,
  durationMs: 84,
  deliveredAt: "2026-11-02T09:31:01.000Z",
  signature: "1f3870be274f6c49b3e31a0c6728957f2d8a0c1b6a7e4f5d9c8b7a6f5e4d3c2b",
  event: events["booking.confirmed"],
};
