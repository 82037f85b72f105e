import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { TokenBody } from "@travel-booking/api-contract";
import { retryDuringElections } from "../../support/retry-while-stale.ts";
import { formOf, oauthClient, requestToken } from "../kit/oauth.ts";
import { openWorld, type World } from "../kit/world.ts";

const SHOP = "https://shop.example.com";
const LIMIT = 12;

let world: World;
let token: TokenBody;
beforeAll(async () => {
  world = await openWorld({
    env: { CORS_ORIGINS: `https://other.example.com, ${SHOP}`, RATE_LIMIT_PER_MINUTE: String(LIMIT) },
    flights: [{ id: "F", departsIn: 60 }],
  });
  token = (await requestToken(world, formOf(await oauthClient(world, world.accountOf.alice)))).body;
  await world.advance(61);
});
afterAll(() => world.discard());

async function fromPage(method: string, path: string, headers: Readonly<Record<string, string>>, body?: object) {
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  const sent = { method, headers: { origin: SHOP, "content-type": "application/json", ...headers }, ...json };
  const answer = await retryDuringElections(() => fetch(`${world.service.baseUrl}${path}`, sent));
  await answer.text();
  return answer;
}

test("a page of an allowed origin reads every service's answers, and asks before, which counts for its address", async () => {
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
