import type { Operation } from "../operation.ts";
import { eventListQuerySchema, eventSchema } from "../resources/event.ts";
import { listOf } from "../resources/page.ts";

export const listEventsOperation = {
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  service: "query",
  summary: "List events, newest first, or follow them as they come",
  scope: "events:read",
  query: eventListQuerySchema,
  success: { status: 200, body: listOf(eventSchema) },
} as const satisfies Operation;

export const getEventOperation = {
  id: "getEvent",
  method: "GET",
  path: "/v1/events/{id}",
  service: "query",
  summary: "Get an event",
  scope: "events:read",
  success: { status: 200, body: eventSchema },
  errors: { 404: "There is no event with this id." },
} as const satisfies Operation;
