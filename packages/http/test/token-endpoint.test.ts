import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { SCOPES } from "@travel-booking/domain";
import { sendRaw } from "./support/raw.ts";
import { type Service, startService } from "./support/service.ts";

let service: Service;
beforeEach(async () => {
  service = await startService({ perMinute: 30 });
});
afterEach(() => service.stop());

const FORM = "application/x-www-form-urlencoded";

function ask(fields: Record<string, string> | string, headers: Record<string, string> = {}) {
  const body = typeof fields === "string" ? fields : new URLSearchParams(fields).toString();
  return service.send("POST", "/v1/oauth/token", {
    body,
    anonymous: true,
    headers: { "content-type": FORM, ...headers },
  });
}

function grant(more: Record<string, string> = {}) {
  const { clientId, clientSecret } = service.client;
  return { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret, ...more };
}

function basic(id: string, secret: string) {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}` };
}

test("a client gets a token that works, for every scope it may use", async () => {
  const answer = await ask(grant());
  expect(answer.status).toBe(200);
  const { access_token: token, ...rest } = answer.body;
  expect(rest).toStrictEqual({ token_type: "Bearer", expires_in: 3_600, scope: SCOPES.join(" ") });
  expect([answer.headers.get("cache-control"), answer.headers.get("pragma")]).toStrictEqual(["no-store", "no-cache"]);
  expect((await service.get("/v1/things/1", { authorization: `Bearer ${token}` })).status).toBe(200);
});

test("a client may ask for less", async () => {
  const answer = await ask(grant({ scope: "payments:read flights:read flights:read" }));
  expect(answer.body.scope).toBe("flights:read payments:read");
  const token = { authorization: `Bearer ${answer.body.access_token}` };
  expect((await service.get("/v1/things/1", token)).status).toBe(200);
  expect((await service.post("/v1/things", { name: "a" }, token)).status).toBe(403);
});

test("HTTP Basic serves too", async () => {
  const { clientId, clientSecret } = service.client;
  const form = { grant_type: "client_credentials" };
  expect((await ask(form, basic(clientId, clientSecret))).status).toBe(200);
  expect((await ask({ ...form, client_id: clientId }, basic(clientId, clientSecret))).status).toBe(200);
  const wrong = await ask(form, basic(clientId, "wrong"));
  expect([wrong.status, wrong.body.error, wrong.headers.get("www-authenticate")]).toStrictEqual([
    401,
    "invalid_client",
    'Basic realm="travel-booking-service"',
  ]);
});

test("unknown fields are ignored", async () => {
  expect((await ask(grant({ audience: "x", __proto__x: "y" }))).status).toBe(200);
});

test.each<[string, () => Parameters<typeof ask>, number, string, string]>([
  ["no grant_type", () => [{ client_id: "a", client_secret: "b" }], 400, "invalid_request", "grant_type is required"],
  [
    "another grant",
    () => [grant({ grant_type: "password" })],
    400,
    "unsupported_grant_type",
    "grant_type must be client_credentials",
  ],
  ["no client", () => [{ grant_type: "client_credentials" }], 400, "invalid_request", "client_id is required"],
  [
    "no secret",
    () => [{ grant_type: "client_credentials", client_id: "a" }],
    400,
    "invalid_request",
    "client_secret is required",
  ],
  ["an empty secret", () => [grant({ client_secret: "" })], 400, "invalid_request", "client_secret must not be blank"],
  [
    "an unknown client",
    () => [grant({ client_id: "nobody" })],
    401,
    "invalid_client",
    "The client is unknown, or its secret is wrong.",
  ],
  [
    "a wrong secret",
    () => [grant({ client_secret: "x" })],
    401,
    "invalid_client",
    "The client is unknown, or its secret is wrong.",
  ],
  ["an unknown scope", () => [grant({ scope: "flights:read x" })], 400, "invalid_scope", "The client may not use: x"],
  [
    "a field twice",
    () => ["grant_type=client_credentials&grant_type=x"],
    400,
    "invalid_request",
    "grant_type is given more than once",
  ],
  [
    "a malformed form",
    () => ["grant_type=%zz"],
    400,
    "invalid_request",
    '"grant_type" is not valid percent-encoded UTF-8',
  ],
  ["nothing", () => [""], 400, "invalid_request", "grant_type is required"],
  [
    "JSON",
    () => ["{}", { "content-type": "application/json" }],
    400,
    "invalid_request",
    `Content-Type must be ${FORM}`,
  ],
  ["too much", () => [`x=${"a".repeat(1_048_576)}`], 400, "invalid_request", "body must have at most 8192 bytes"],
  [
    "both ways at once",
    () => [grant(), basic("a", "b")],
    400,
    "invalid_request",
    "the client must authenticate in one way only",
  ],
  [
    "another scheme",
    () => [{ grant_type: "client_credentials" }, { authorization: "Bearer x" }],
    401,
    "invalid_client",
    "Authorization must be HTTP Basic, well-formed",
  ],
])("%s", async (_name, request, status, error, description) => {
  const answer = await ask(...request());
  expect(answer.body).toStrictEqual({ error, error_description: description });
  expect([answer.status, answer.headers.get("cache-control")]).toStrictEqual([status, "no-store"]);
  expect(answer.headers.get("x-ratelimit-limit")).toBe("30");
  expect(answer.headers.get("x-request-id")).toMatch(/./);
});

test("a scope the client may not use is refused though it exists", async () => {
  const { client } = service.directory.add(["flights:read"]);
  const answer = await ask(
    grant({ client_id: client.clientId, client_secret: client.clientSecret, scope: "payments:write" }),
  );
  expect(answer.body).toStrictEqual({
    error: "invalid_scope",
    error_description: "The client may not use: payments:write",
  });
});

test("a revoked client and one of a suspended account get none", async () => {
  service.client.accountActive = false;
  expect((await ask(grant())).body.error).toBe("invalid_client");
  service.client.accountActive = true;
  service.client.credentialActive = false;
  expect((await ask(grant())).status).toBe(401);
});

test("is limited per address, and says so as every other endpoint does", async () => {
  await service.stop();
  service = await startService({ perMinute: 2, trustedProxies: ["127.0.0.1"] });
  const from = (address: string) => ask(grant({ client_id: "nobody" }), { "x-forwarded-for": address });
  expect((await from("198.51.100.1")).status).toBe(401);
  expect((await from("198.51.100.1")).status).toBe(401);
  const limited = await from("198.51.100.1");
  expect([limited.status, limited.body.error, limited.headers.get("retry-after")]).toStrictEqual([
    429,
    "Too Many Requests",
    "60",
  ]);
  expect(limited.headers.get("x-ratelimit-remaining")).toBe("0");
  expect((await from("198.51.100.2")).status).toBe(401);
});

test("is limited per client, wherever it comes from", async () => {
  await service.stop();
  service = await startService({ perMinute: 2, trustedProxies: ["127.0.0.1"] });
  const from = (address: string) => ask(grant(), { "x-forwarded-for": address });
  const answers = [await from("198.51.100.1"), await from("198.51.100.2"), await from("198.51.100.3")];
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 429]);
  expect(answers.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toStrictEqual(["1", "0", "0"]);
});

test("whoever knows a client's id alone can't use up its limit", async () => {
  await service.stop();
  service = await startService({ perMinute: 2, trustedProxies: ["127.0.0.1"] });
  const from = (address: string, secret: string) =>
    ask(grant({ client_secret: secret }), { "x-forwarded-for": address });
  for (let address = 1; address < 6; address += 1) {
    expect((await from(`198.51.100.${address}`, "wrong")).status).toBe(401);
  }
  const answer = await from("198.51.100.99", service.client.clientSecret);
  expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toStrictEqual([200, "1"]);
});

test("of two Authorization headers none counts", async () => {
  const { port, client } = service;
  const basicOf = (secret: string) => Buffer.from(`${client.clientId}:${secret}`).toString("base64");
  const body = "grant_type=client_credentials";
  const head = `POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${FORM}\r\nContent-Length: ${body.length}\r\n`;
  const both = `Authorization: Basic ${basicOf(client.clientSecret)}\r\nAuthorization: Basic ${basicOf("another")}\r\n`;
  const answer = await sendRaw(port, `${head}${both}\r\n${body}`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "")).toStrictEqual({
    error: "invalid_request",
    error_description: "authorization is given more than once",
  });
});
