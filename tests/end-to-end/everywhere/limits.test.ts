import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { OpenApiDocument } from "@travel-booking/api-contract";
import { withoutElections } from "../../support/distributed/elections.ts";
import { retryDuringElections } from "../../support/retry-while-stale.ts";
import { Client, expectStatus } from "../kit/client.ts";
import { formOf, oauthClient, requestToken } from "../kit/oauth.ts";
import { expectRefused } from "../kit/problems.ts";
import { openWorld, type World } from "../kit/world.ts";

const LIMIT = 8;
const SHOP = "https://shop.example.com";
const MINUTE = 61;

let world: World;
beforeAll(async () => {
  world = await openWorld({
    env: {
      RATE_LIMIT_PER_MINUTE: String(LIMIT),
      TRUSTED_PROXIES: "127.0.0.1",
      CORS_ORIGINS: `https://other.example.com, ${SHOP}`,
    },
    flights: [{ id: "F", departsIn: 60 }],
  });
});
afterAll(() => world.discard());

async function newClient(): Promise<Client> {
  return new Client(world.service.baseUrl, await world.service.newApiKey());
}

/** A new client, and what it is answered. None of it is refused for an election: to ask again would count. */
function withNewClient<Answer>(ask: (client: Client) => Promise<readonly Answer[]>) {
  return withoutElections(async () => {
    const client = await newClient();
    return { client, answers: await ask(client) };
  });
}

type Answered = { readonly headers: Headers };
const limitsOf = ({ headers }: Answered) =>
  ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
const remainingOf = ({ headers }: Answered) => headers.get("x-ratelimit-remaining");

describe("a credential", () => {
  test("has so many requests a minute; each answer says how many are left, and when more come", async () => {
    const before = await world.now();
    const { client, answers } = await withNewClient(async (client) => [
      await client.get("/v1/flights"),
      await client.get("/v1/flights/none"),
      await client.get("/v1/flights?limit=0"),
      await client.book("F"),
      await client.get("/v1/nothing"),
      await client.send("PUT", "/v1/flights"),
      await client.get("/v1/flights/F/seat-map", { "if-none-match": "*" }),
      await client.send("HEAD", "/v1/flights"),
    ]);
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 404, 400, 201, 404, 405, 304, 200]);
    expect(answers.map(remainingOf)).toStrictEqual(["7", "6", "5", "4", "3", "2", "1", "0"]);
    const [limit, , reset] = limitsOf(answers[0] as Answered);
    expect(limit).toBe(String(LIMIT));
    expect(Number(reset)).toBeGreaterThanOrEqual(Math.ceil(before / 1_000) + 60);
    expect(Number(reset)).toBeLessThanOrEqual(Math.ceil((await world.now()) / 1_000) + 60);
    expect(new Set(answers.map((answer) => limitsOf(answer)[2]))).toStrictEqual(new Set([reset]));

    const refused = await client.get("/v1/flights");
    expectRefused(refused, 429, `More than ${LIMIT} requests a minute`);
    expect(limitsOf(refused)).toStrictEqual([String(LIMIT), "0", reset]);
    const wait = Number(refused.headers.get("retry-after"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
    expect((await client.book("F")).status).toBe(429);
    expect((await (await newClient()).get("/v1/flights")).status).toBe(200);

    await world.advance(MINUTE);
    expect(remainingOf(await client.get("/v1/flights"))).toBe("7");
  });

  test("is counted exactly when everything comes at once", async () => {
    const { answers } = await withNewClient((client) =>
      Promise.all(Array.from({ length: 5 * LIMIT }, () => client.get("/v1/flights/F"))),
    );
    const served = answers.filter(({ status }) => status === 200);
    expect(served).toHaveLength(LIMIT);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(4 * LIMIT);
    expect(new Set(served.map(remainingOf)).size).toBe(LIMIT);
  });
});

describe("an address", () => {
  const from = (address: string) => ({ "x-forwarded-for": address });
  const guess = (address: string, headers: Readonly<Record<string, string>>) =>
    world.anonymous.get("/v1/flights", { ...from(address), ...headers });

  test("has so many failed attempts to authenticate; who sends no credential has not tried", async () => {
    const wrong = { "x-api-key": "wrong" };
    for (let sent = 0; sent < LIMIT; sent += 1) expect((await guess("198.51.100.1", wrong)).status).toBe(401);
    expectRefused(await guess("198.51.100.1", wrong), 429, "requests a minute");
    expectRefused(await guess("198.51.100.1", { authorization: "Bearer a.b.c" }), 429, "requests a minute");
    expect((await guess("198.51.100.1", {})).status).toBe(401);
    expect((await guess("198.51.100.2", wrong)).status).toBe(401);
    const client = await newClient();
    expect((await client.get("/v1/flights", from("198.51.100.1"))).status).toBe(200);
    await world.advance(MINUTE);
    expect((await guess("198.51.100.1", wrong)).status).toBe(401);
  });
});

test("health and metrics are not limited", async () => {
  const { baseUrl, metricsUrl } = world.service;
  for (const url of [`${baseUrl}/health/live`, `${baseUrl}/health/ready`, metricsUrl]) {
    for (let sent = 0; sent <= LIMIT; sent += 1) {
      const response = await retryDuringElections(() => fetch(url));
      expect([response.status, response.headers.get("x-ratelimit-limit")]).toStrictEqual([200, null]);
      await response.text();
    }
  }
});

test("the interface description and its page count in no limit, of a credential and of an address", async () => {
  const client = await newClient();
  for (let round = 0; round <= LIMIT; round += 1) {
    const answer = await client.get("/v1/openapi.json");
    expect([answer.status, answer.headers.get("x-ratelimit-limit")]).toStrictEqual([200, null]);
    expect((await fetch(`${world.service.baseUrl}/docs`)).status).toBe(200);
  }
  expect(remainingOf(await withoutElections(() => client.get("/v1/destinations")))).toBe(String(LIMIT - 1));
  const { body } = await client.get<OpenApiDocument>("/v1/openapi.json");
  expect(body.components.headers["X-RateLimit-Limit"]?.required).toBe(true);
});

async function fromPage(method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { method, headers: { origin: SHOP, "content-type": "application/json", ...headers }, ...json };
  const answer = await retryDuringElections(() => fetch(`${world.service.baseUrl}${path}`, sent));
  await answer.text();
  return answer;
}

test("a page of an allowed origin reads every service's answers, and asks before, which counts for its address", async () => {
  const token = expectStatus(200, await requestToken(world, formOf(await oauthClient(world, world.accountOf.alice))));
  await world.advance(MINUTE);
  const headers = { authorization: `Bearer ${token.access_token}` };
  const calls = [
    [200, "GET", "/v1/flights/F", undefined],
    [404, "GET", "/v1/bookings/none", undefined],
    [400, "POST", "/v1/bookings", {}],
    [404, "POST", "/v1/webhook-endpoints/none/test", { type: "booking.confirmed" }],
    [404, "DELETE", "/v1/passengers/none", undefined],
  ] as const;
  for (const [status, method, path, body] of calls) {
    const asked = await fromPage("OPTIONS", path, { "access-control-request-method": method });
    expect([asked.status, asked.headers.get("access-control-allow-origin")]).toStrictEqual([204, SHOP]);
    expect(asked.headers.get("access-control-allow-methods")?.split(", ")).toContain(method);
    const answer = await fromPage(method, path, headers, body);
    expect([path, answer.status, answer.headers.get("access-control-allow-origin")]).toStrictEqual([
      path,
      status,
      SHOP,
    ]);
    expect(answer.headers.get("access-control-allow-credentials")).toBeNull();
  }
  const preflight = () => fromPage("OPTIONS", "/v1/flights", { "access-control-request-method": "GET" });
  for (let sent = calls.length; sent < LIMIT; sent += 1) expect((await preflight()).status).toBe(204);
  const refused = await preflight();
  expect([refused.status, refused.headers.get("access-control-allow-origin")]).toStrictEqual([429, SHOP]);
});
