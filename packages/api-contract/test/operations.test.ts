import { describe, expect, test } from "@jest/globals";
import { SCOPES } from "@travel-booking/domain";
import { z } from "zod";
import { operations } from "../src/index.ts";

const line = ({ method, path, scope, service, success, idempotencyKey }: (typeof operations)[number]) =>
  [method, path, scope ?? "-", service, success.status, idempotencyKey ?? "-"].join(" ");

test("the operations of the API", () => {
  expect(operations.map(line)).toStrictEqual([
    "POST /v1/oauth/token - command 200 -",
    "GET /v1/destinations flights:read query 200 -",
    "GET /v1/destinations/{id} flights:read query 200 -",
    "GET /v1/flights flights:read query 200 -",
    "GET /v1/flights/search flights:read query 200 -",
    "GET /v1/flights/{id} flights:read query 200 -",
    "GET /v1/flights/{id}/status flights:read query 200 -",
    "GET /v1/flights/{id}/seat-map flights:read query 200 -",
    "POST /v1/flights/{id}/seat-holds bookings:write command 201 accepted",
    "GET /v1/flights/{id}/seat-holds/{holdId} bookings:read query 200 -",
    "DELETE /v1/flights/{id}/seat-holds/{holdId} bookings:write command 204 -",
    "POST /v1/bookings bookings:write command 201 accepted",
    "GET /v1/bookings bookings:read query 200 -",
    "GET /v1/bookings/{id} bookings:read query 200 -",
    "PATCH /v1/bookings/{id} bookings:write command 200 accepted",
    "POST /v1/bookings/{id}/cancel bookings:write command 200 accepted",
    "GET /v1/bookings/{id}/summary bookings:read query 200 -",
    "GET /v1/bookings/{id}/cancellation-quote bookings:read query 200 -",
    "GET /v1/bookings/{id}/history bookings:read query 200 -",
    "GET /v1/bookings/{id}/disruptions bookings:read query 200 -",
    "GET /v1/disruptions bookings:read query 200 -",
    "GET /v1/disruptions/{id} bookings:read query 200 -",
    "GET /v1/disruptions/{id}/alternatives bookings:read query 200 -",
    "POST /v1/disruptions/{id}/accept bookings:write command 200 accepted",
    "POST /v1/disruptions/{id}/rebook bookings:write command 200 accepted",
    "POST /v1/disruptions/{id}/refund bookings:write command 200 accepted",
    "GET /v1/bookings/{id}/boarding-pass bookings:read query 200 -",
    "GET /.well-known/boarding-pass-keys - query 200 -",
    "POST /v1/bookings/{id}/documents bookings:write command 201 accepted",
    "GET /v1/bookings/{id}/documents bookings:read query 200 -",
    "POST /v1/passengers passengers:write command 201 accepted",
    "GET /v1/passengers passengers:read query 200 -",
    "GET /v1/passengers/{id} passengers:read query 200 -",
    "PATCH /v1/passengers/{id} passengers:write command 200 accepted",
    "DELETE /v1/passengers/{id} passengers:write command 204 -",
    "POST /v1/bookings/{id}/payments payments:write command 201 required",
    "GET /v1/bookings/{id}/payments payments:read query 200 -",
    "GET /v1/payments payments:read query 200 -",
    "GET /v1/payments/{id} payments:read query 200 -",
    "POST /v1/payments/{id}/refunds payments:write command 201 accepted",
    "GET /v1/loyalty/account loyalty:read query 200 -",
    "GET /v1/loyalty/transactions loyalty:read query 200 -",
    "POST /v1/loyalty/redemptions loyalty:write command 201 accepted",
    "GET /v1/events events:read query 200 -",
    "GET /v1/events/{id} events:read query 200 -",
    "POST /v1/webhook-endpoints webhooks:write command 201 accepted",
    "GET /v1/webhook-endpoints webhooks:read query 200 -",
    "GET /v1/webhook-endpoints/{id} webhooks:read query 200 -",
    "PATCH /v1/webhook-endpoints/{id} webhooks:write command 200 accepted",
    "DELETE /v1/webhook-endpoints/{id} webhooks:write command 204 -",
    "POST /v1/webhook-endpoints/{id}/test webhooks:write dispatcher 200 accepted",
    "GET /v1/webhook-endpoints/{id}/deliveries webhooks:read query 200 -",
    "GET /v1/webhook-endpoints/{id}/status webhooks:read query 200 -",
    "POST /v1/webhook-endpoints/{id}/resume webhooks:write command 200 accepted",
    "POST /v1/webhook-endpoints/{id}/rotate-secret webhooks:write command 200 accepted",
    "POST /v1/webhook-endpoints/{id}/replay webhooks:write dispatcher 202 accepted",
    "GET /v1/openapi.json - query 200 -",
  ]);
});

test("ids are unique and scopes are the domain's", () => {
  expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  for (const { scope } of operations) expect(scope === null || SCOPES.includes(scope)).toBe(true);
});

describe("every schema has a JSON Schema of its own", () => {
  const schemas = operations.flatMap(({ id, query, body, success }) => [
    ...(query === undefined ? [] : [[`${id} query`, query, "input"] as const]),
    ...(body === undefined ? [] : [[`${id} body`, body, "input"] as const]),
    ...(success.body === null ? [] : [[`${id} answer`, success.body, "output"] as const]),
  ]);

  test.each(schemas)("%s", (_name, schema, io) => {
    const described = z.toJSONSchema(schema, { io });
    expect(["object", "array", undefined]).toContain(described.type);
    expect(described.$schema).toBe("https://json-schema.org/draft/2020-12/schema");
  });
});
