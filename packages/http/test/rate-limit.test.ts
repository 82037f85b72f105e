import { afterEach, describe, expect, test } from "@jest/globals";
import { InMemoryRateCounter } from "@travel-booking/engines/rate-counter/memory";
import { addressPrefix, ClientAddressResolver, RateLimiter } from "@travel-booking/http";
import { ManualClock } from "@travel-booking/runtime";
import { NOW, type Service, startService, type TestResponse } from "./support/service.ts";

let service: Service | undefined;
afterEach(() => service?.stop());

function rateOf({ headers }: TestResponse) {
  return ["limit", "remaining", "reset"].map((name) => headers.get(`x-ratelimit-${name}`));
}

test("a credential is counted in a window of a minute that begins with its first request", async () => {
  service = await startService({ perMinute: 3 });
  const reset = String(Math.ceil(NOW / 1_000 + 60));
  const answers: TestResponse[] = [];
  for (let count = 0; count < 4; count += 1) answers.push(await service.get("/v1/things/1"));
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 200, 200, 429]);
  expect(answers.map(rateOf)).toStrictEqual([
    ["3", "2", reset],
    ["3", "1", reset],
    ["3", "0", reset],
    ["3", "0", reset],
  ]);
  expect(answers.map(({ headers }) => headers.get("retry-after"))).toStrictEqual([null, null, null, "60"]);
  expect(answers[3]?.body).toStrictEqual({
    statusCode: 429,
    message: "More than 3 requests a minute; wait 60 seconds.",
    error: "Too Many Requests",
  });
  service.clock.advance(59_001);
  expect((await service.get("/v1/things/1")).headers.get("retry-after")).toBe("1");
  service.clock.advance(999);
  const next = await service.get("/v1/things/1");
  expect([next.status, ...rateOf(next)]).toStrictEqual([200, "3", "2", String(Math.ceil(NOW / 1_000 + 120))]);
});

test("every response to a valid credential has the headers, whatever its status", async () => {
  const boom = () => Promise.reject(new Error("boom"));
  service = await startService({ perMinute: 100, handlers: { cancelThing: boom } });
  const weak = { "x-api-key": service.directory.add(["loyalty:read"]).key.apiKey };
  const answers = [
    await service.get("/v1/things/1"),
    await service.get("/v1/things?x=1"),
    await service.get("/v1/things/%zz"),
    await service.get("/v1/nothing"),
    await service.send("PUT", "/v1/things/1"),
    await service.get("/v1/things/1", { "service-version": "1" }),
    await service.get("/v1/things/1", weak),
    await service.post("/v1/things/1/cancel"),
  ];
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 400, 400, 404, 405, 400, 403, 500]);
  expect(answers.map((answer) => rateOf(answer)[0])).toStrictEqual(new Array(8).fill("100"));
  service.key.accountActive = false;
  const suspended = await service.get("/v1/things/1");
  expect([suspended.status, rateOf(suspended)[0]]).toStrictEqual([403, "100"]);
});

test("a response that a key keeps counts as a request more for each 4,096 bytes of it, and only the first time", async () => {
  const respond = () => ({ status: 201, json: JSON.stringify("é".repeat(10_000)) });
  service = await startService({ perMinute: 11, handlers: { makeThing: respond } });
  const remaining = async (headers: Record<string, string>) =>
    rateOf((await service?.post("/v1/things", { name: "a" }, headers)) as TestResponse)[1];
  expect(await remaining({})).toBe("10");
  expect(await remaining({ "idempotency-key": "k" })).toBe("5");
  expect(await remaining({ "idempotency-key": "k" })).toBe("4");
  expect(await remaining({ "idempotency-key": "l" })).toBe("0");
  expect((await service.post("/v1/things", { name: "a" }, { "idempotency-key": "m" })).status).toBe(429);
});

test("two credentials of one account have a window each", async () => {
  service = await startService({ perMinute: 1 });
  const token = await service.tokens.issue(service.client.clientId, ["flights:read"]);
  expect((await service.get("/v1/things/1")).status).toBe(200);
  expect((await service.get("/v1/things/1")).status).toBe(429);
  expect((await service.get("/v1/things/1", { authorization: `Bearer ${token}` })).status).toBe(200);
});

test("nobody is told to wait longer than a window, where the clock was set back", async () => {
  let now = NOW;
  const limiter = new RateLimiter({ perMinute: 1, counter: new InMemoryRateCounter(), clock: { now: () => now } });
  await limiter.count("key");
  now -= 3_600_000;
  expect(await limiter.count("key")).toMatchObject({
    exceeded: true,
    retryAfter: 60,
    resetsAt: Math.ceil(now / 1_000 + 60),
  });
});

test("is exact under concurrency", async () => {
  service = await startService({ perMinute: 50 });
  const { get } = service;
  const answers = await Promise.all(Array.from({ length: 120 }, () => get("/v1/things/1")));
  expect(answers.filter(({ status }) => status === 200).length).toBe(50);
  expect(answers.filter(({ status }) => status === 429).length).toBe(70);
});

test("0 means no limit and no headers, also for failed authentication", async () => {
  service = await startService({ perMinute: 0 });
  const answers = [await service.get("/v1/things/1"), await service.get("/v1/things/1", { "x-api-key": "wrong" })];
  expect(answers.map(({ status }) => status)).toStrictEqual([200, 401]);
  expect(answers.map(rateOf)).toStrictEqual([
    [null, null, null],
    [null, null, null],
  ]);
});

describe("failed authentication", () => {
  test("is limited per address; a valid credential from there is still served", async () => {
    service = await startService({ perMinute: 2 });
    const wrong = { "x-api-key": "wrong" };
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push(await service.get("/v1/things/1", wrong));
    expect(answers.map(({ status }) => status)).toStrictEqual([401, 401, 429]);
    expect(answers.map((answer) => rateOf(answer)[0])).toStrictEqual([null, null, "2"]);
    expect(answers[2]?.headers.get("retry-after")).toBe("60");
    expect((await service.get("/v1/things/1")).status).toBe(200);
    const none = await service.send("GET", "/v1/things/1", { anonymous: true });
    expect(none.status).toBe(401);
  });

  test("is counted for the address behind a trusted proxy", async () => {
    service = await startService({ perMinute: 1, trustedProxies: ["127.0.0.1"] });
    const { get } = service;
    const from = (address: string) => get("/v1/things/1", { "x-api-key": "wrong", "x-forwarded-for": address });
    expect((await from("198.51.100.1")).status).toBe(401);
    expect((await from("203.0.113.9, 198.51.100.1")).status).toBe(429);
    expect((await from("198.51.100.2")).status).toBe(401);
  });

  test("is counted for the peer if no proxy is trusted", async () => {
    service = await startService({ perMinute: 1 });
    const { get } = service;
    const from = (address: string) => get("/v1/things/1", { "x-api-key": "wrong", "x-forwarded-for": address });
    expect((await from("198.51.100.1")).status).toBe(401);
    expect((await from("198.51.100.2")).status).toBe(429);
  });
});

test.each([
  [["10.0.0.0/8"], "10.1.2.3", "198.51.100.1", "198.51.100.1"],
  [["10.0.0.0/8"], "10.1.2.3", "203.0.113.9, 198.51.100.1, 10.9.9.9", "198.51.100.1"],
  [["10.0.0.0/8"], "192.0.2.1", "198.51.100.1", "192.0.2.1"],
  [["10.0.0.0/8"], "10.1.2.3", undefined, "10.1.2.3"],
  [["0.0.0.0/0"], "192.0.2.1", "203.0.113.9,198.51.100.1", "203.0.113.9"],
  [["10.0.0.0/8"], "10.1.2.3", "10.0.0.1", "10.0.0.1"],
  [["10.0.0.0/8"], "10.1.2.3", "198.51.100.1, nonsense", "10.1.2.3"],
  [["10.0.0.0/8"], "::ffff:10.1.2.3", "::ffff:198.51.100.1", "198.51.100.1"],
  [["fd00::/8", "127.0.0.1"], "fd00::1", "2001:db8::1", "2001:db8::1"],
  [[], "10.1.2.3", "198.51.100.1", "10.1.2.3"],
])("proxies %j, peer %s, forwarded for %s: the client is %s", (trusted, peer, forwarded, client) => {
  const request = { socket: { remoteAddress: peer }, headers: { "x-forwarded-for": forwarded } };
  expect(new ClientAddressResolver(trusted).resolve(request as never)).toBe(client);
});

test.each([
  ["198.51.100.1", "198.51.100.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8::6", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
])("%s is limited as %s", (address, group) => {
  expect(addressPrefix(address)).toBe(group);
});

test("a counter may return a promise", async () => {
  const counter = { increment: async () => ({ startedAt: 1_000, count: 3 }) };
  const limiter = new RateLimiter({ perMinute: 2, counter, clock: new ManualClock(2_500) });
  expect(await limiter.count("k")).toStrictEqual({
    exceeded: true,
    limit: 2,
    remaining: 0,
    resetsAt: 61,
    retryAfter: 59,
  });
});
