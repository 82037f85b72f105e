import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Operation, operations } from "@travel-booking/api-contract";
import { SCOPES, type Scope } from "@travel-booking/domain";
import { Client, expectStatus } from "./kit/client.ts";
import { formOf, oauthClient, requestToken } from "./kit/oauth.ts";
import { expectRefused } from "./kit/problems.ts";
import { openWorld, type World } from "./kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
});
afterAll(() => world.discard());

const newOAuthClient = (scopes?: readonly Scope[]) => oauthClient(world, world.accountOf.alice, scopes);
const askForToken = (form: Readonly<Record<string, string>> | string, headers?: Readonly<Record<string, string>>) =>
  requestToken(world, form, headers);

const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString("base64")}`,
});

/** A path of the operation that names nothing there is. */
const pathOf = (operation: Operation) => operation.path.replaceAll(/\{\w+\}/g, "none");
const guarded = operations.filter(({ scope }) => scope !== null);
const nameOf = ({ method, path }: Operation) => `${method} ${path}`;

describe.each(guarded.map((operation) => [nameOf(operation), operation] as const))("%s", (_name, operation) => {
  const { method } = operation;
  const path = pathOf(operation);

  test("401 without a valid credential", async () => {
    const missing = await world.anonymous.send(method, path);
    expect([missing.status, missing.headers.get("www-authenticate")]).toStrictEqual([
      401,
      'Bearer realm="travel-booking-service"',
    ]);
    const odd = [
      { "x-api-key": "" },
      { "x-api-key": "wrong" },
      { "x-api-key": `tbs_live_${"0".repeat(36)}` },
      { "x-api-key": "ü" },
    ];
    for (const headers of odd) expectRefused(await world.anonymous.send(method, path, { headers }), 401, "API key");
    for (const authorization of ["", "Bearer", "Bearer ", "Bearer a.b.c", "Basic YTpi", "Bearer ü"]) {
      const refused = await world.anonymous.send(method, path, { headers: { authorization } });
      expect(refused.status).toBe(401);
      expect(refused.headers.get("www-authenticate")).toMatch('error="invalid_token"');
    }
  });

  test("403 without its scope, which is named", async () => {
    const others = SCOPES.filter((scope) => scope !== operation.scope);
    const client = await world.withScopes(others);
    const refused = await client.send(method, path);
    expectRefused(refused, 403, operation.scope ?? "");
    expect(refused.headers.get("www-authenticate")).toBe(
      `Bearer error="insufficient_scope", scope="${operation.scope}"`,
    );
    const sufficient = await world.withScopes([operation.scope ?? ""]);
    expect((await sufficient.send(method, path)).status).not.toBe(403);
  });
});

test("each operation needs the scope the rules name", () => {
  const scopes = Object.fromEntries(operations.map((operation) => [nameOf(operation), operation.scope]));
  expect(scopes).toStrictEqual({
    "POST /v1/oauth/token": null,
    "GET /v1/destinations": "flights:read",
    "GET /v1/destinations/{id}": "flights:read",
    "GET /v1/flights": "flights:read",
    "GET /v1/flights/search": "flights:read",
    "GET /v1/flights/{id}": "flights:read",
    "GET /v1/flights/{id}/seat-map": "flights:read",
    "POST /v1/flights/{id}/seat-holds": "bookings:write",
    "GET /v1/flights/{id}/seat-holds/{holdId}": "bookings:read",
    "DELETE /v1/flights/{id}/seat-holds/{holdId}": "bookings:write",
    "POST /v1/bookings": "bookings:write",
    "GET /v1/bookings": "bookings:read",
    "GET /v1/bookings/{id}": "bookings:read",
    "PATCH /v1/bookings/{id}": "bookings:write",
    "POST /v1/bookings/{id}/cancel": "bookings:write",
    "GET /v1/bookings/{id}/summary": "bookings:read",
    "GET /v1/bookings/{id}/cancellation-quote": "bookings:read",
    "GET /v1/bookings/{id}/history": "bookings:read",
    "GET /v1/bookings/{id}/boarding-pass": "bookings:read",
    "POST /v1/bookings/{id}/documents": "bookings:write",
    "GET /v1/bookings/{id}/disruptions": "bookings:read",
    "GET /v1/bookings/{id}/documents": "bookings:read",
    "GET /v1/disruptions": "bookings:read",
    "GET /v1/disruptions/{id}": "bookings:read",
    "GET /v1/disruptions/{id}/alternatives": "bookings:read",
    "POST /v1/disruptions/{id}/accept": "bookings:write",
    "POST /v1/disruptions/{id}/rebook": "bookings:write",
    "POST /v1/disruptions/{id}/refund": "bookings:write",
    "GET /v1/flights/{id}/status": "flights:read",
    "POST /v1/passengers": "passengers:write",
    "GET /v1/passengers": "passengers:read",
    "GET /v1/passengers/{id}": "passengers:read",
    "PATCH /v1/passengers/{id}": "passengers:write",
    "DELETE /v1/passengers/{id}": "passengers:write",
    "POST /v1/bookings/{id}/payments": "payments:write",
    "GET /v1/bookings/{id}/payments": "payments:read",
    "GET /v1/payments": "payments:read",
    "GET /v1/payments/{id}": "payments:read",
    "POST /v1/payments/{id}/refunds": "payments:write",
    "GET /v1/loyalty/account": "loyalty:read",
    "GET /v1/loyalty/transactions": "loyalty:read",
    "POST /v1/loyalty/redemptions": "loyalty:write",
    "GET /v1/events": "events:read",
    "GET /v1/events/{id}": "events:read",
    "POST /v1/webhook-endpoints": "webhooks:write",
    "GET /v1/webhook-endpoints": "webhooks:read",
    "GET /v1/webhook-endpoints/{id}": "webhooks:read",
    "PATCH /v1/webhook-endpoints/{id}": "webhooks:write",
    "DELETE /v1/webhook-endpoints/{id}": "webhooks:write",
    "POST /v1/webhook-endpoints/{id}/rotate-secret": "webhooks:write",
    "POST /v1/webhook-endpoints/{id}/test": "webhooks:write",
    "GET /v1/webhook-endpoints/{id}/deliveries": "webhooks:read",
    "GET /v1/webhook-endpoints/{id}/status": "webhooks:read",
    "POST /v1/webhook-endpoints/{id}/resume": "webhooks:write",
    "POST /v1/webhook-endpoints/{id}/replay": "webhooks:write",
    "GET /v1/openapi.json": null,
    "GET /.well-known/boarding-pass-keys": null,
  });
});

describe("the token endpoint", () => {
  test("exchanges client credentials, in the body or by HTTP Basic, for a token of one hour", async () => {
    const client = await newOAuthClient();
    const inBody = await askForToken(formOf(client));
    const byBasic = await askForToken(
      { grant_type: "client_credentials" },
      basic(client.clientId, client.clientSecret),
    );
    for (const answer of [inBody, byBasic]) {
      const token = expectStatus(200, answer);
      expect(token).toStrictEqual({
        token_type: "Bearer",
        access_token: token.access_token,
        expires_in: 3_600,
        scope: SCOPES.join(" "),
      });
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const owner = new Client(world.service.baseUrl, { accessToken: token.access_token });
      const booking = await owner.newBooking("F");
      expect(await owner.booking(booking.id)).toStrictEqual(booking);
      expect((await world.alice.cancel(booking.id)).status).toBe(200);
      expect((await world.bob.cancel(booking.id)).status).toBe(404);
    }
  });

  // Last: time goes on for the whole service.
  test("gives tokens that end after an hour", async () => {
    const { access_token: accessToken } = expectStatus(200, await askForToken(formOf(await newOAuthClient())));
    const holder = new Client(world.service.baseUrl, { accessToken });
    await world.advance(3_600 - 60);
    expect((await holder.get("/v1/flights")).status).toBe(200);
    await world.advance(61);
    const refused = await holder.get("/v1/flights");
    expect([refused.status, refused.headers.get("www-authenticate")]).toStrictEqual([
      401,
      'Bearer realm="travel-booking-service", error="invalid_token"',
    ]);
  });
});
