import { afterEach, expect, test } from "@jest/globals";
import { describeProxy } from "../kit/describe-proxy.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";

describeProxy("the proxy and headers", () => {
  const setting = new ProxyFixture();
  afterEach(() => setting.stop());

  test("an id that a client sent goes all the way", async () => {
    const query = await setting.service("query", (request, response) => {
      response.setHeader("X-Request-Id", String(request.headers["x-request-id"]));
      response.end();
    });
    const proxy = await setting.proxy({ query: [query.url] });
    const response = await fetch(`${proxy.url}/v1/flights`, { headers: { "X-Request-Id": "order-7.of_9" } });
    expect(response.headers.get("x-request-id")).toBe("order-7.of_9");
    expect(query.received.at(-1)?.headers["x-request-id"]).toBe("order-7.of_9");
  });

  test.each([
    ["none", undefined],
    ["an unfit one", "a b"],
    ["one that is too long", "x".repeat(129)],
  ])("%s is replaced by one of the proxy's, another each time", async (_, sent) => {
    const query = await setting.service("query");
    const proxy = await setting.proxy({ query: [query.url] });
    const headers: Record<string, string> = sent === undefined ? {} : { "X-Request-Id": sent };
    for (let count = 0; count < 2; count += 1) await fetch(`${proxy.url}/v1/flights`, { headers });
    const ids = query.received.map((request) => request.headers["x-request-id"]);
    expect(ids).toStrictEqual([expect.stringMatching(/^[0-9a-f]{32}$/), expect.stringMatching(/^[0-9a-f]{32}$/)]);
    expect(new Set(ids).size).toBe(2);
  });

  test("who asked is added to what those before it have said", async () => {
    const command = await setting.service("command");
    const proxy = await setting.proxy({ command: [command.url] });
    await fetch(`${proxy.url}/v1/bookings`, {
      method: "POST",
      headers: { "X-Forwarded-For": "203.0.113.9" },
    });
    expect(command.received.at(-1)?.headers).toMatchObject({
      host: new URL(proxy.url).host,
      "x-forwarded-for": "203.0.113.9, 127.0.0.1",
    });
  });

  test("headers of the API pass both ways, those of the connection do not", async () => {
    const command = await setting.service("command", (_, response) => {
      response.writeHead(201, { "Idempotent-Replayed": "true", "X-RateLimit-Remaining": "59", ETag: '"1"' });
      response.end();
    });
    const proxy = await setting.proxy({ command: [command.url] });
    const response = await fetch(`${proxy.url}/v1/bookings`, {
      method: "POST",
      headers: {
        "x-api-key": "key",
        "Idempotency-Key": "k",
        Authorization: "Bearer t",
        "Service-Version": "2026-11-01",
      },
    });
    expect(command.received.at(-1)?.headers).toMatchObject({
      "x-api-key": "key",
      "idempotency-key": "k",
      authorization: "Bearer t",
      "service-version": "2026-11-01",
    });
    expect(command.received.at(-1)?.headers).not.toHaveProperty("connection");
    expect(response.status).toBe(201);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "idempotent-replayed": "true",
      "x-ratelimit-remaining": "59",
      etag: '"1"',
    });
  });

  test("one connection to a service serves many requests", async () => {
    const query = await setting.service("query");
    const proxy = await setting.proxy({ query: [query.url] });
    for (let count = 0; count < 20; count += 1) await (await fetch(`${proxy.url}/v1/flights`)).arrayBuffer();
    expect([query.received.length, query.connections]).toStrictEqual([20, 1]);
  });

  test("a head as large as the services read passes", async () => {
    const query = await setting.service("query");
    const proxy = await setting.proxy({ query: [query.url] });
    const cursor = "c".repeat(10_000);
    const response = await fetch(`${proxy.url}/v1/flights?cursor=${cursor}`, {
      headers: { "x-long": "x".repeat(5_000) },
    });
    expect(response.status).toBe(200);
    expect(query.received.at(-1)?.target).toBe(`/v1/flights?cursor=${cursor}`);
  });
});
