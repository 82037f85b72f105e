import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { describeProxy } from "../kit/describe-proxy.ts";
import type { FakeService } from "../kit/fake-service.ts";
import type { ReverseProxy } from "../kit/proxy.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";
import { sendRaw } from "../kit/raw-request.ts";

describeProxy("the proxy brings a request to its service", () => {
  const setting = new ProxyFixture();
  let services: Readonly<
    Record<"command" | "query" | "dispatcher" | "commandOperator" | "dispatcherOperator", FakeService>
  >;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    services = {
      command: await setting.service("command"),
      query: await setting.service("query"),
      dispatcher: await setting.service("dispatcher"),
      commandOperator: await setting.service("commandOperator"),
      dispatcherOperator: await setting.service("dispatcherOperator"),
    };
    proxy = await setting.proxy({
      command: [services.command.url],
      query: [services.query.url],
      dispatcher: [services.dispatcher.url],
      operator: { command: [services.commandOperator.url], dispatcher: [services.dispatcherOperator.url] },
    });
  });

  afterAll(() => setting.stop());

  test.each([
    ["GET", "/v1/flights?departsAfter=2027-01-01&limit=1", "query"],
    ["GET", "/v1/webhook-endpoints/we_1/status", "query"],
    ["GET", "/v1/webhook-endpoints/we_1/test", "query"],
    ["GET", "/v1/openapi.json", "query"],
    ["GET", "/.well-known/boarding-pass-keys", "query"],
    ["GET", "/docs", "query"],
    ["GET", "/no/such/path", "query"],
    ["POST", "/v1/bookings", "command"],
    ["POST", "/v1/oauth/token", "command"],
    ["POST", "/v1/webhook-endpoints", "command"],
    ["POST", "/v1/webhook-endpoints/we_1/resume", "command"],
    ["POST", "/v1/webhook-endpoints/we_1/test", "dispatcher"],
    ["POST", "/v1/webhook-endpoints/we_1/replay?since=2027-01-01T00:00:00Z", "dispatcher"],
    ["POST", "/v1/webhook-endpoints/a%2Fb/test", "dispatcher"],
    ["POST", "/v1/webhook-endpoints/we_1/test/more", "command"],
    ["PATCH", "/v1/bookings/bkg_1", "command"],
    ["DELETE", "/v1/flights/F-1/seat-holds/hld_1", "command"],
    ["PUT", "/v1/bookings/bkg_1", "command"],
    ["OPTIONS", "/v1/flights", "command"],
    ["PROPFIND", "/v1/flights", "command"],
    ["POST", "/health/live", "command"],
  ] as const)("%s %s: the %s", async (method, target, service) => {
    const response = await fetch(`${proxy.url}${target}`, { method });
    expect([response.status, await response.json()]).toStrictEqual([200, { service }]);
    expect(services[service].received.at(-1)).toMatchObject({ method, target });
  });

  test("HEAD: the query-service", async () => {
    const before = services.query.received.length;
    const response = await fetch(`${proxy.url}/v1/flights`, { method: "HEAD" });
    expect(response.status).toBe(200);
    expect(services.query.received.slice(before)).toMatchObject([{ method: "HEAD", target: "/v1/flights" }]);
  });

  test("a path is passed on as it was sent", async () => {
    await fetch(`${proxy.url}/v1/flights/a%2Fb%20c//d`);
    expect(services.query.received.at(-1)?.target).toBe("/v1/flights/a%2Fb%20c//d");
  });

  test.each([
    ["GET", "/operator/projections", "commandOperator"],
    ["POST", "/operator/accounts", "commandOperator"],
    ["GET", "/operator/webhook-endpoints", "dispatcherOperator"],
  ] as const)("of an operator: %s %s: the %s", async (method, path, service) => {
    const response = await fetch(`${proxy.operatorUrl}${path}`, { method });
    expect(await response.json()).toStrictEqual({ service });
  });

  test("of an operator: metrics are those of an instance, and not passed on", async () => {
    const before = allSeen();
    const response = await fetch(`${proxy.operatorUrl}/metrics`);
    expect([response.status, await response.json()]).toStrictEqual([
      404,
      { statusCode: 404, message: "Metrics are read from each instance.", error: "Not Found" },
    ]);
    expect(allSeen()).toBe(before);
  });

  test.each([
    ["GET", "/internal/log-head"],
    ["POST", "/internal/anything"],
    ["DELETE", "/internal/anything"],
    ["GET", "/%69nternal/log-head"],
    ["GET", "//internal/log-head"],
    ["GET", "/v1/../internal/log-head"],
  ])("%s %s: there is nothing for those outside", async (method, path) => {
    const before = allSeen();
    // fetch would tidy the path up.
    const [status, body] = await raw(proxy, `${method} ${path} HTTP/1.1`);
    expect([status, body]).toStrictEqual([
      404,
      { statusCode: 404, message: "There is nothing at this path.", error: "Not Found" },
    ]);
    expect(allSeen()).toBe(before);
  });

  function allSeen(): number {
    return Object.values(services).reduce((sum, { received }) => sum + received.length, 0);
  }
});

async function raw(proxy: ReverseProxy, requestLine: string): Promise<[number, unknown]> {
  const { status, body } = await sendRaw(proxy.url, `${requestLine}\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return [status, JSON.parse(body)];
}
