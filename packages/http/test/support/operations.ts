import { exchangeTokenOperation, type Operation } from "@travel-booking/api-contract";
import { z } from "zod";

const text = z.string("must be a string").max(500, "must have at most 500 characters");
const tags = z.record(z.string().max(500), text).meta({ maxProperties: 20 });

export const getThing = {
  id: "getThing",
  method: "GET",
  path: "/v1/things/{id}",
  service: "query",
  tag: "Flights",
  summary: "Get a thing",
  scope: "flights:read",
  success: { status: 200, body: null },
  errors: { 404: ["flight_not_found"] },
} as const satisfies Operation;

export const searchThings = { ...getThing, id: "searchThings", path: "/v1/things/search" } as const satisfies Operation;

export const listThings = {
  id: "listThings",
  method: "GET",
  path: "/v1/things",
  service: "query",
  tag: "Flights",
  summary: "List things",
  scope: "flights:read",
  query: z.strictObject({
    colour: text.optional(),
    limit: z.string().regex(/^\d+$/, "must be a whole number").transform(Number).default(2),
    cursor: text.optional(),
  }),
  success: { status: 200, body: null },
} as const satisfies Operation;

export const makeThing = {
  id: "makeThing",
  method: "POST",
  path: "/v1/things",
  service: "command",
  tag: "Flights",
  summary: "Make a thing",
  scope: "bookings:write",
  body: z.strictObject(
    { name: text, size: z.int("must be a whole number").optional(), tags: tags.optional() },
    "must be an object",
  ),
  idempotencyKey: "accepted",
  success: { status: 201, body: null },
} as const satisfies Operation;

export const payThing = {
  ...makeThing,
  id: "payThing",
  path: "/v1/things/{id}/payments",
  idempotencyKey: "required",
} as const satisfies Operation;

export const cancelThing = {
  id: "cancelThing",
  method: "POST",
  path: "/v1/things/{id}/cancel",
  service: "command",
  tag: "Flights",
  summary: "Cancel a thing",
  scope: "bookings:write",
  body: z.strictObject({ reason: text.optional() }, "must be an object"),
  bodyOptional: true,
  success: { status: 200, body: null },
} as const satisfies Operation;

export const dropThing = {
  id: "dropThing",
  method: "DELETE",
  path: "/v1/things/{id}",
  service: "command",
  tag: "Flights",
  summary: "Drop a thing",
  scope: "bookings:write",
  success: { status: 204, body: null },
} as const satisfies Operation;

/** Of the API, but served elsewhere. */
export const patchThing = {
  ...cancelThing,
  id: "patchThing",
  method: "PATCH",
  path: "/v1/things/{id}",
} as const satisfies Operation;

export const openDocument = {
  id: "openDocument",
  method: "GET",
  path: "/v1/openapi.json",
  service: "query",
  tag: "Flights",
  summary: "The interface description",
  scope: null,
  success: { status: 200, body: null },
} as const satisfies Operation;

export const operations: readonly Operation[] = [
  searchThings,
  getThing,
  listThings,
  makeThing,
  payThing,
  cancelThing,
  dropThing,
  patchThing,
  openDocument,
  exchangeTokenOperation,
];
