import { afterEach, expect, test } from "@jest/globals";
import { describeProxy } from "../kit/describe-proxy.ts";
import type { FakeService } from "../kit/fake-service.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";

describeProxy("the proxy says how the service is", () => {
  const setting = new ProxyFixture();
  afterEach(() => setting.stop());

  function ready(): Promise<FakeService> {
    return setting.service("ready", (_, response) => response.end('{"status":"ready"}'));
  }

  function notReady(): Promise<FakeService> {
    return setting.service("not ready", (_, response) => {
      response.writeHead(503).end('{"statusCode":503,"message":["store"]}');
    });
  }

  async function ask(url: string): Promise<[number, unknown]> {
    const response = await fetch(url);
    return [response.status, await response.json()];
  }

  const OUT_OF_REACH = {
    statusCode: 503,
    message: "The service is out of reach; try again.",
    error: "Service Unavailable",
  };

  test("live: it runs itself, whatever the services do", async () => {
    const proxy = await setting.proxy({});
    const response = await fetch(`${proxy.url}/health/live`, { headers: { "X-Request-Id": "asked" } });
    expect([response.status, await response.json()]).toStrictEqual([200, { status: "ok" }]);
    expect(response.headers.get("x-request-id")).toBe("asked");
  });

  test("ready: both halves are", async () => {
    const [command, query] = [await ready(), await ready()];
    const proxy = await setting.proxy({ command: [command.url], query: [query.url] });
    expect(await ask(`${proxy.url}/health/ready`)).toStrictEqual([200, { status: "ready" }]);
    expect(command.received).toMatchObject([{ method: "GET", target: "/health/ready" }]);
    expect(query.received).toMatchObject([{ method: "GET", target: "/health/ready" }]);
  });

  test("not ready: commands can't be given", async () => {
    const [command, query] = [await notReady(), await ready()];
    const proxy = await setting.proxy({ command: [command.url], query: [query.url] });
    expect(await ask(`${proxy.url}/health/ready`)).toStrictEqual([503, OUT_OF_REACH]);
  });

  test("not ready: nothing can be read, in the service's own words", async () => {
    const [command, query] = [await ready(), await notReady()];
    const proxy = await setting.proxy({ command: [command.url], query: [query.url] });
    expect(await ask(`${proxy.url}/health/ready`)).toStrictEqual([503, { statusCode: 503, message: ["store"] }]);
  });

  test.each(["command", "query"])("not ready: no %s-service is there", async (missing) => {
    const there = await ready();
    const upstreams = { command: [there.url], query: [there.url], [missing]: [await setting.closedAddress()] };
    const proxy = await setting.proxy(upstreams);
    expect(await ask(`${proxy.url}/health/ready`)).toStrictEqual([503, OUT_OF_REACH]);
  });

  test("nobody asks from outside for the half of it", async () => {
    const proxy = await setting.proxy({ command: [(await ready()).url], query: [(await ready()).url] });
    expect((await ask(`${proxy.url}/health/ready-to-write`))[0]).toBe(404);
  });
});
