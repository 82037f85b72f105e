import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { openApiDocument } from "@travel-booking/api-contract/openapi";
import { SCOPES } from "@travel-booking/domain";
import { type Service, type ServiceOptions, startService, type TestResponse } from "./support/service.ts";

const SHOP = "https://shop.example.com";
const LIMIT = 4;

let service: Service;
let authorization: string;
const start = async (options: ServiceOptions = {}) => {
  service = await startService({ corsOrigins: new Set([SHOP]), ...options });
  authorization = `Bearer ${await service.tokens.issue(service.client.clientId, SCOPES)}`;
};
afterEach(() => service.stop());

/** As a page of the shop sends it, or of another origin. */
const fromPage = (method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: unknown) =>
  service.send(method, path, { anonymous: true, headers: { origin: SHOP, ...headers }, body });
const preflight = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  fromPage("OPTIONS", path, { "access-control-request-method": "POST", ...headers });
const grantsOf = ({ headers }: TestResponse) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith("access-control-") || name === "vary"));

const EXPOSED =
  "Allow, Boarding-Pass-Revision, Content-Disposition, Deprecation, ETag, Flight-Status, Idempotent-Replayed, Link, Retry-After, Service-Error-Code, Service-Version, Sunset, WWW-Authenticate, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id";
const READABLE = {
  "access-control-allow-origin": SHOP,
  "access-control-expose-headers": EXPOSED,
  vary: "Origin",
};

describe("a page of an allowed origin", () => {
  test("may read responses and errors, and send no cookies", async () => {
    await start({ handlers: { searchThings: () => Promise.reject(new Error("boom")) } });
    const asked = (method: string, path: string) => fromPage(method, path, { authorization });
    const answers = [
      await asked("GET", "/v1/things/1"),
      await asked("GET", "/v1/things?limit=x"),
      await fromPage("GET", "/v1/things/1"),
      await fromPage("GET", "/v1/openapi.json"),
      await asked("GET", "/v1/nothing"),
      await asked("PUT", "/v1/things/1"),
      await asked("GET", "/v1/things/search"),
    ];
    expect(answers.map(({ status }) => status)).toStrictEqual([200, 400, 401, 200, 404, 405, 500]);
    expect(new Set(answers.map((answer) => JSON.stringify(grantsOf(answer))))).toStrictEqual(
      new Set([JSON.stringify(READABLE)]),
    );
  });

  test("may read every header that is described", () => {
    const { paths, components } = openApiDocument({ rateLimited: true });
    const answers = [...Object.values(paths).flatMap((item) => Object.values(item)), components];
    const described = answers.flatMap(({ responses }) =>
      Object.values(responses).flatMap((answer) => ("headers" in answer ? Object.keys(answer.headers) : [])),
    );
    // Browsers show these always, or need them themselves.
    const others = ["Cache-Control", "Pragma", "X-Content-Type-Options"];
    expect(new Set([...described, "Allow"])).toStrictEqual(new Set([...EXPOSED.split(", "), ...others]));
  });

  test("adds to what a response already varies by", async () => {
    const headers = { Vary: "Accept-Encoding" };
    await start({ handlers: { getThing: () => ({ status: 200, json: "{}", headers }) } });
    const answer = await fromPage("GET", "/v1/things/1", { authorization });
    expect(answer.headers.get("vary")).toBe("Accept-Encoding, Origin");
  });

  test("is told by a preflight, without a credential, what it may send", async () => {
    await start();
    const answer = await preflight("/v1/things/1");
    expect([answer.status, answer.text, grantsOf(answer)]).toStrictEqual([
      204,
      "",
      {
        ...READABLE,
        "access-control-allow-methods": "DELETE, GET, HEAD, PATCH",
        "access-control-allow-headers":
          "Authorization, Content-Type, Idempotency-Key, If-None-Match, Service-Version, X-Request-Id",
        "access-control-max-age": "7200",
      },
    ]);
    expect((await preflight("/v1/nothing")).status).toBe(404);
  });

  test("may not read what an API key gets, nor access tokens", async () => {
    await start();
    const none = { vary: "Origin" };
    const { apiKey, clientId, clientSecret } = { ...service.client, apiKey: service.key.apiKey };
    const withKey = await fromPage("GET", "/v1/things/1", { "x-api-key": apiKey });
    expect([withKey.status, grantsOf(withKey)]).toStrictEqual([200, none]);
    const form = { grant_type: "client_credentials", client_id: clientId, client_secret: clientSecret };
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    const token = await fromPage("POST", "/v1/oauth/token", headers, String(new URLSearchParams(form)));
    expect([token.status, grantsOf(token)]).toStrictEqual([200, none]);
    const asked = await preflight("/v1/oauth/token");
    expect([asked.status, grantsOf(asked)]).toStrictEqual([405, none]);
  });

  test("has preflights counted for its address, and nothing else", async () => {
    await start({ perMinute: LIMIT });
    for (let sent = 0; sent < LIMIT; sent += 1) expect((await preflight("/v1/things")).status).toBe(204);
    const refused = await preflight("/v1/things");
    expect([refused.status, refused.headers.get("retry-after"), grantsOf(refused)]).toStrictEqual([
      429,
      "60",
      READABLE,
    ]);
    const answer = await fromPage("GET", "/v1/things/1", { authorization });
    expect([answer.status, answer.headers.get("x-ratelimit-remaining")]).toStrictEqual([200, String(LIMIT - 1)]);
  });
});

describe("a page of another origin", () => {
  beforeEach(() => start({ perMinute: 1 }));

  test.each(["https://shop.example.com:8443", "http://shop.example.com", "https://SHOP.example.com", "null", "*"])(
    "such as %s is told nothing, and not counted",
    async (origin) => {
      for (let sent = 0; sent < 2; sent += 1) {
        const asked = await preflight("/v1/things/1", { origin });
        expect([asked.status, grantsOf(asked)]).toStrictEqual([405, { vary: "Origin" }]);
      }
      const answer = await fromPage("GET", "/v1/things/1", { authorization, origin });
      expect([answer.status, grantsOf(answer)]).toStrictEqual([200, { vary: "Origin" }]);
    },
  );
});

test("without allowed origins no response says anything of them", async () => {
  await start({ corsOrigins: new Set() });
  for (const answer of [await preflight("/v1/things/1"), await fromPage("GET", "/v1/things/1", { authorization })]) {
    expect(grantsOf(answer)).toStrictEqual({});
  }
});
