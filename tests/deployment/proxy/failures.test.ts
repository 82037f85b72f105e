import { afterEach, expect, test } from "@jest/globals";
import { describeProxy } from "../kit/describe-proxy.ts";
import { dropConnection, respondWithName } from "../kit/fake-service.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";

const UNAVAILABLE = {
  statusCode: 503,
  message: "The service is out of reach; try again.",
  error: "Service Unavailable",
};
const CONNECTION_LOST = {
  statusCode: 502,
  message: "The service went away before it answered; the request may have been carried out.",
  error: "Bad Gateway",
};
const TIMED_OUT = {
  statusCode: 504,
  message: "The service did not answer in time; the request may have been carried out.",
  error: "Gateway Timeout",
};

describeProxy("where a service fails, the proxy", () => {
  const setting = new ProxyFixture();
  afterEach(() => setting.stop());

  async function ask(url: string, method: string, body: string | null = null) {
    const response = await fetch(url, { method, body, headers: { "X-Request-Id": "asked" } });
    const { status, headers } = response;
    const [id, type, retry] = ["x-request-id", "content-type", "retry-after"].map((name) => headers.get(name));
    return { status, id, type, retry, body: await response.json() };
  }

  const ofTheProxy = (status: number, body: object) => ({
    status,
    id: "asked",
    type: "application/json; charset=utf-8",
    retry: "1",
    body,
  });

  test.each(["GET", "POST", "PATCH", "DELETE"])("answers 503 to a %s of which nothing was sent", async (method) => {
    const gone = await setting.closedAddress();
    const proxy = await setting.proxy({ command: [gone], query: [gone] });
    const body = method === "POST" ? "{}" : null;
    expect(await ask(`${proxy.url}/v1/bookings`, method, body)).toStrictEqual(ofTheProxy(503, UNAVAILABLE));
    // And again, now that it has seen that nobody is there.
    expect(await ask(`${proxy.url}/v1/bookings`, method, body)).toStrictEqual(ofTheProxy(503, UNAVAILABLE));
  });

  test.each([
    ["POST", "{}"],
    ["POST", null],
    ["PATCH", "{}"],
    ["DELETE", null],
    ["PUT", null],
  ])("answers 502 to a %s that a service took with it, and sends it to no other", async (method, body) => {
    const [one, other] = [await setting.service("one", dropConnection), await setting.service("other", dropConnection)];
    const proxy = await setting.proxy({ command: [one.url, other.url] });
    expect(await ask(`${proxy.url}/v1/bookings`, method, body)).toStrictEqual(ofTheProxy(502, CONNECTION_LOST));
    expect(one.received.length + other.received.length).toBe(1);
  });

  test("answers 504 to a command that takes too long, and sends it to no other", async () => {
    const [one, other] = [
      await setting.service("one", () => undefined),
      await setting.service("other", () => undefined),
    ];
    const proxy = await setting.proxy({ command: [one.url, other.url] }, { longestAnswer: 1 });
    expect(await ask(`${proxy.url}/v1/bookings`, "POST", "{}")).toStrictEqual(ofTheProxy(504, TIMED_OUT));
    expect(one.received.length + other.received.length).toBe(1);
  });

  test("asks another instance where a read failed", async () => {
    const [dies, lives] = [await setting.service("dies", dropConnection), await setting.service("lives")];
    const proxy = await setting.proxy({ query: [dies.url, lives.url] });
    for (let count = 0; count < 4; count += 1) {
      const response = await fetch(`${proxy.url}/v1/flights`);
      expect([response.status, await response.json()]).toStrictEqual([200, { service: "lives" }]);
    }
    expect(dies.received.length).toBeGreaterThan(0);
  });

  test("brings a command to another instance where one can't be reached", async () => {
    const gone = await setting.closedAddress();
    const received: string[] = [];
    const lives = await setting.service("lives", (request, response) => {
      let body = "";
      request.on("data", (chunk) => {
        body += chunk;
      });
      request.on("end", () => {
        received.push(body);
        response.end("{}");
      });
    });
    const proxy = await setting.proxy({ command: [gone, lives.url, gone] });
    for (let count = 0; count < 6; count += 1) {
      const response = await fetch(`${proxy.url}/v1/bookings`, { method: "POST", body: `{"count":${count}}` });
      expect(response.status).toBe(200);
    }
    expect(received).toStrictEqual([0, 1, 2, 3, 4, 5].map((count) => `{"count":${count}}`));
  });

  test("shares requests out among the instances", async () => {
    const instances = [await setting.service("one"), await setting.service("other")];
    const proxy = await setting.proxy({ command: instances.map(({ url }) => url) });
    for (let count = 0; count < 10; count += 1) await fetch(`${proxy.url}/v1/bookings`, { method: "POST", body: "{}" });
    expect(instances.map(({ received }) => received.length)).toStrictEqual([5, 5]);
  });

  test("finds an instance that is back", async () => {
    const gone = await setting.closedAddress();
    const proxy = await setting.proxy({ command: [gone] });
    expect((await ask(`${proxy.url}/v1/bookings`, "POST", "{}")).status).toBe(503);
    const { port } = new URL(gone);
    await setting.service("back", respondWithName("back"), Number(port));
    expect((await ask(`${proxy.url}/v1/bookings`, "POST", "{}")).body).toStrictEqual({ service: "back" });
  });

  test.each([400, 500, 502, 503, 504])("leaves a service's own %s alone", async (status) => {
    const own = { statusCode: status, message: ["as the service says it"] };
    const command = await setting.service("command", (_, response) => {
      response.writeHead(status, { "X-Request-Id": "its-own", "Retry-After": "7", "Content-Type": "application/json" });
      response.end(JSON.stringify(own));
    });
    const proxy = await setting.proxy({ command: [command.url] });
    expect(await ask(`${proxy.url}/v1/bookings`, "POST", "{}")).toStrictEqual({
      status,
      id: "its-own",
      type: "application/json",
      retry: "7",
      body: own,
    });
    expect(command.received.length).toBe(1);
  });

  test("logs what failed, and nothing of what the query says", async () => {
    const gone = await setting.closedAddress();
    const proxy = await setting.proxy({ query: [gone], command: [(await setting.service("command")).url] });
    await ask(`${proxy.url}/v1/passengers?email=ada@example.com`, "GET");
    await ask(`${proxy.url}/v1/bookings`, "POST", "{}");
    expect(proxy.failures()).toStrictEqual([
      {
        time: expect.any(String),
        service: "proxy",
        requestId: "asked",
        method: "GET",
        path: "/v1/passengers",
        status: 503,
        to: "query",
        // Tried anew, once: it may have other instances now.
        upstream: `${new URL(gone).host} : ${new URL(gone).host}`,
        upstreamStatus: "502 : 502",
        seconds: expect.any(Number),
      },
    ]);
  });

  test("tries a document no second time: it has not kept it", async () => {
    const gone = await setting.closedAddress();
    const proxy = await setting.proxy({ command: [gone], query: [(await setting.service("query")).url] });
    const url = `${proxy.url}/v1/bookings/bkg_1/documents`;
    expect(await ask(url, "POST", "a passport")).toStrictEqual(ofTheProxy(503, UNAVAILABLE));
    // It writes its log behind an answer, and before the next.
    await ask(`${proxy.url}/v1/flights`, "GET");
    expect(proxy.failures()).toMatchObject([{ status: 503, upstream: new URL(gone).host }]);
  });

  test("tells an operator that nobody is there", async () => {
    const proxy = await setting.proxy({ operator: { command: [await setting.closedAddress()], dispatcher: [] } });
    const response = await fetch(`${proxy.operatorUrl}/operator/projections`);
    expect([response.status, await response.json()]).toStrictEqual([
      502,
      {
        statusCode: 502,
        message: "No service answers there, or it went away before it did; what was asked for may have been done.",
        error: "Bad Gateway",
      },
    ]);
  });
});
