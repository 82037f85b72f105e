import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Operation, operations } from "@travel-booking/api-contract";
import { SCOPES, type Scope } from "@travel-booking/domain";
import { Client, expectStatus } from "./kit/client.ts";
import { formOf, oauthClient, oauthErrorOf, requestToken } from "./kit/oauth.ts";
import { expectProblems, expectRefused, messageOf } from "./kit/problems.ts";
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

describe("an API key", () => {
  test("is recognisable, and no use with a letter changed", async () => {
    const { apiKey } = await world.service.newApiKey();
    expect(apiKey).toMatch(/^tbs_live_[0-9A-Za-z]{36}$/);
    expect((await new Client(world.service.baseUrl, { apiKey }).get("/v1/flights")).status).toBe(200);
    const other = apiKey.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect((await new Client(world.service.baseUrl, { apiKey: other }).get("/v1/flights")).status).toBe(401);
  });

  test("beside a token is one credential too many", async () => {
    const { apiKey } = await world.service.newApiKey();
    const headers = { "x-api-key": apiKey, authorization: "Bearer a.b.c" };
    expectProblems(await world.anonymous.send("GET", "/v1/flights", { headers }), [
      "x-api-key or Authorization must be sent, one of them and once",
    ]);
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

  test("grants the scopes asked for, and no others", async () => {
    const client = await newOAuthClient(["flights:read", "bookings:read"]);
    expect(expectStatus(200, await askForToken(formOf(client))).scope).toBe("flights:read bookings:read");
    expect(expectStatus(200, await askForToken(formOf(client, { scope: "" }))).scope).toBe(
      "flights:read bookings:read",
    );
    const { access_token: accessToken, scope } = expectStatus(
      200,
      await askForToken(formOf(client, { scope: "bookings:read bookings:read" })),
    );
    expect(scope).toBe("bookings:read");
    const reader = new Client(world.service.baseUrl, { accessToken });
    expect((await reader.get("/v1/bookings")).status).toBe(200);
    expectRefused(await reader.get("/v1/flights"), 403, "flights:read");
    for (const wanted of ["payments:read", "flights:read payments:write", "everything", "ü"]) {
      expect(oauthErrorOf(await askForToken(formOf(client, { scope: wanted })))).toStrictEqual([400, "invalid_scope"]);
    }
  });

  test("400 and 401, as OAuth names them", async () => {
    const client = await newOAuthClient();
    const { client_id, client_secret } = formOf(client);
    const grant_type = "client_credentials";
    const cases: [Record<string, string> | string, number, string][] = [
      ["", 400, "invalid_request"],
      [{ client_id, client_secret }, 400, "invalid_request"],
      [{ grant_type, client_secret }, 400, "invalid_request"],
      [{ grant_type, client_id }, 400, "invalid_request"],
      [{ grant_type, client_id, client_secret: "" }, 400, "invalid_request"],
      [`grant_type=${grant_type}&grant_type=${grant_type}&client_id=a&client_secret=b`, 400, "invalid_request"],
      ["grant_type=%zz", 400, "invalid_request"],
      ["grant_type=client_credentials%00", 400, "invalid_request"],
      [{ grant_type: "password", client_id, client_secret }, 400, "unsupported_grant_type"],
      [{ grant_type: "__proto__", client_id, client_secret }, 400, "unsupported_grant_type"],
      [{ grant_type, client_id, client_secret: "wrong" }, 401, "invalid_client"],
      [{ grant_type, client_id: "nobody", client_secret }, 401, "invalid_client"],
      [{ grant_type, client_id: "__proto__", client_secret }, 401, "invalid_client"],
      [{ grant_type, client_id: "é".repeat(1_000), client_secret }, 401, "invalid_client"],
      [{ grant_type, client_id: "x".repeat(2_000), client_secret }, 400, "invalid_request"],
    ];
    for (const [form, status, error] of cases) {
      expect([form, ...oauthErrorOf(await askForToken(form))]).toStrictEqual([form, status, error]);
    }
    const json = { "content-type": "application/json" };
    expect(oauthErrorOf(await askForToken(JSON.stringify(formOf(client)), json))).toStrictEqual([
      400,
      "invalid_request",
    ]);
    const wrong = await askForToken({ grant_type }, basic(client_id, "wrong"));
    expect([...oauthErrorOf(wrong), wrong.headers.get("www-authenticate")]).toStrictEqual([
      401,
      "invalid_client",
      'Basic realm="travel-booking-service"',
    ]);
    expect(oauthErrorOf(await askForToken(formOf(client), basic(client_id, client_secret)))).toStrictEqual([
      400,
      "invalid_request",
    ]);
    for (const authorization of ["Basic", "Basic !", "Bearer x", `Basic ${btoa("no colon")}`]) {
      expect(oauthErrorOf(await askForToken({ grant_type }, { authorization }))).toStrictEqual([401, "invalid_client"]);
    }
  });

  test("ignores parameters it does not know", async () => {
    const client = await newOAuthClient();
    expect((await askForToken(formOf(client, { audience: "x", constructor: "y" }))).status).toBe(200);
  });

  test("gives tokens that cannot be altered", async () => {
    const { access_token: token } = expectStatus(
      200,
      await askForToken(formOf(await newOAuthClient(["flights:read"]))),
    );
    const [head = "", payload = "", signature = ""] = token.split(".");
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as object;
    const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const forged = [
      `${head}.${encode({ ...claims, scope: SCOPES.join(" ") })}.${signature}`,
      `${encode({ alg: "none", typ: "at+jwt" })}.${payload}.`,
      `${head}.${payload}.`,
      `${head}.${payload}`,
      `${head}.${payload}.${signature.split("").reverse().join("")}`,
    ];
    for (const accessToken of forged) {
      expect((await new Client(world.service.baseUrl, { accessToken }).get("/v1/flights")).status).toBe(401);
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

test("the version of the API is echoed, an unknown one is refused", async () => {
  const given = await world.alice.get("/v1/flights", { "service-version": "2026-11-01" });
  expect([given.status, given.headers.get("service-version")]).toStrictEqual([200, "2026-11-01"]);
  for (const version of ["2026-11-02", "1", "", "2026-11-01, 2026-11-01"]) {
    const refused = await world.alice.get("/v1/flights", { "service-version": version });
    expect([refused.status, messageOf(refused)]).toStrictEqual([400, ["Service-Version must be one of 2026-11-01"]]);
  }
});
