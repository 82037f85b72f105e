import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { REQUEST_ID } from "./kit/behind-proxy.ts";
import { Client } from "./kit/client.ts";
import { openWorld, type World } from "./kit/world.ts";

let world: World;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F", departsIn: 60 }] });
});
afterAll(() => world.discard());

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(path === "/metrics" ? world.service.metricsUrl : `${world.service.baseUrl}${path}`, {
    headers,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test("health needs no credential, and minds no wrong one", async () => {
  for (const path of ["/health/live", "/health/ready"]) {
    for (const headers of [{}, { "x-api-key": "wrong" }]) {
      const answer = await get(path, headers);
      expect([answer.status, answer.headers.get("content-type")]).toStrictEqual([
        200,
        "application/json; charset=utf-8",
      ]);
      expect(answer.headers.get("x-request-id")).toMatch(REQUEST_ID);
      expect(typeof (JSON.parse(answer.text) as { status: string }).status).toBe("string");
    }
  }
});

test("other methods are refused", async () => {
  const { origin } = new URL(world.service.metricsUrl);
  for (const path of ["/health/live", "/health/ready", "/metrics"]) {
    const answer = await new Client(origin, undefined, world.service.baseUrl).send("POST", path);
    expect([answer.status, answer.headers.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
  }
});

test("metrics say what was answered, as Prometheus reads it", async () => {
  await world.alice.newBooking("F");
  await world.alice.book("none");
  const { status, headers, text } = await get("/metrics");
  expect([status, headers.get("content-type")]).toStrictEqual([
    200,
    expect.stringMatching(/^text\/plain; version=0\.0\.4/),
  ]);
  for (const line of text.split("\n").filter((each) => each !== ""))
    expect(line).toMatch(/^(?:# (?:HELP|TYPE) \S+ .*|[a-zA-Z_:][\w:]*(?:\{.*\})? \S+)$/);
  const countOf = (code: number) =>
    new RegExp(
      `^http_request_duration_seconds_count\\{(?=[^}]*operation="createBooking")(?=[^}]*status="${code}")[^}]*\\} 1$`,
      "m",
    );
  expect(text).toMatch(countOf(201));
  expect(text).toMatch(countOf(404));
  expect(text).not.toContain("tbs_live_");
});
