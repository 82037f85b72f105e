import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { errorResponseSchema } from "@travel-booking/api-contract";
import { describeProxy } from "../kit/describe-proxy.ts";
import type { FakeService } from "../kit/fake-service.ts";
import type { ReverseProxy } from "../kit/proxy.ts";
import { ProxyFixture } from "../kit/proxy-fixture.ts";
import { sendRaw } from "../kit/raw-request.ts";

describeProxy("what the proxy refuses itself is answered in the API's shape", () => {
  const setting = new ProxyFixture();
  let service: FakeService;
  let proxy: ReverseProxy;

  beforeAll(async () => {
    service = await setting.service("any");
    const corsOrigins = "https://shop.example.com, http://localhost:5173";
    proxy = await setting.proxy({ command: [service.url], query: [service.url] }, { corsOrigins });
  });

  afterAll(() => setting.stop());

  const NOT_HTTP = { statusCode: 400, message: ["the request is not well-formed HTTP"], error: "Bad Request" };
  const HEAD_TOO_LARGE = { statusCode: 400, message: ["the head of the request is too large"], error: "Bad Request" };

  test.each([
    ["no HTTP", "GARBAGE\r\n\r\n", NOT_HTTP],
    ["no host", "GET /v1/flights HTTP/1.1\r\n\r\n", NOT_HTTP],
    ["a length that is none", "POST /v1/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: x\r\n\r\n", NOT_HTTP],
    [
      "a length and chunks",
      "POST /v1/bookings HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      NOT_HTTP,
    ],
    ["a header too long", `GET / HTTP/1.1\r\nHost: x\r\nx-long: ${"x".repeat(20_000)}\r\n\r\n`, HEAD_TOO_LARGE],
    ["a path too long", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, HEAD_TOO_LARGE],
    [
      "TRACE",
      "TRACE /v1/flights HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
      { statusCode: 405, message: "TRACE is not possible here.", error: "Method Not Allowed" },
    ],
  ])("%s", async (_, bytes, expected) => {
    const code = expected.statusCode === 405 ? "method_not_allowed" : "malformed_http";
    const { status, headers, body } = await sendRaw(proxy.url, bytes);
    expect([status, JSON.parse(body)]).toStrictEqual([expected.statusCode, expected]);
    expect(errorResponseSchema.safeParse(JSON.parse(body)).success).toBe(true);
    expect(headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{32}$/);
    expect(headers["service-error-code"]).toBe(code);
    expect(headers.server).toBe("nginx");
    expect(headers.allow).toBe(status === 405 ? "GET, HEAD, POST, PATCH, DELETE" : undefined);
    expect(service.received).toStrictEqual([]);
  });

  test.each([
    ["https://shop.example.com", true],
    ["http://localhost:5173", true],
    ["https://shop.example.co", false],
    ["https://shop.example.com,", false],
    ["x|https://shop.example.com", false],
    ["", false],
  ])("a page of %s may read it: %s", async (origin, mayRead) => {
    const { status, headers } = await fetch(`${proxy.url}/internal/`, { headers: { origin } });
    const read = [headers.get("access-control-allow-origin"), headers.get("access-control-expose-headers")];
    const exposed = "Allow, Retry-After, Service-Error-Code, X-Request-Id";
    expect([status, ...read]).toStrictEqual([404, ...(mayRead ? [origin, exposed] : [null, null])]);
  });
});
