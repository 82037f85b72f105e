import type { Operation } from "../operation.ts";
import { eventListQuerySchema, eventSchema } from "../resources/event.ts";
import { listOf } from "../resources/page.ts";

export const listEventsOperation = {
  id: "listEvents",
  method: "GET",
  path: "/v1/events",
  service: "query",
  tag: "Events",
  summary: "List events, newest first, or follow them as they come",
  description:
    "Newest first, or from one event on: `after` continues in ascending order, and with `wait` the request is kept until there is something new. An event is listed once everything else shows what it tells, and no earlier one appears after it. Test events are never listed.",
  scope: "events:read",
  query: eventListQuerySchema,
  success: { status: 200, body: listOf(eventSchema) },
} as const satisfies Operation;

export const getEventOperation = {
  id: "getEvent",
  method: "GET",
  path: "/v1/events/{id}",
  service: "query",
  tag: "Events",
  summary: "Get an event",
  description:
    "Shows whether a delivery is genuine without its signature being checked. Test events can be had for 30 days.",
  scope: "events:read",
  success: { status: 200, body: eventSchema },
  errors: { 404: "There is no event with this id." },
} as const satisfies Operation;
