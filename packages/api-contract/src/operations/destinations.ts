import type { Operation } from "../operation.ts";
import { destinationListQuerySchema, destinationSchema } from "../resources/destination.ts";
import { listOf } from "../resources/page.ts";

export const listDestinationsOperation = {
  id: "listDestinations",
  method: "GET",
  path: "/v1/destinations",
  service: "query",
  tag: "Destinations",
  summary: "List destinations, newest first",
  scope: "flights:read",
  query: destinationListQuerySchema,
  success: { status: 200, body: listOf(destinationSchema) },
} as const satisfies Operation;

export const getDestinationOperation = {
  id: "getDestination",
  method: "GET",
  path: "/v1/destinations/{id}",
  service: "query",
  tag: "Destinations",
  summary: "Get a destination",
  scope: "flights:read",
  success: { status: 200, body: destinationSchema },
  errors: { 404: "There is no destination with this id." },
} as const satisfies Operation;
