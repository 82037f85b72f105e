import { once } from "node:events";
import { type IncomingMessage, type OutgoingHttpHeaders, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { OpenApiDocument } from "@travel-booking/api-contract";
import { retryDuringElections } from "../../support/retry-while-stale.ts";
import { REQUEST_ID } from "../kit/behind-proxy.ts";
import { Client } from "../kit/client.ts";
import { messageOf } from "../kit/problems.ts";
import { sendRaw } from "../kit/send-raw.ts";
import { openWorld, type World } from "../kit/world.ts";

const VERSION = "2026-11-01";

let world: World;
beforeAll(async () => {
  world = await openWorld({ flights: [{ id: "F-1", departsIn: 40 }] });
});
afterAll(() => world.discard());

test("the address of the service leads to the reference", async () => {
  const answer = await fetch(world.service.baseUrl, { redirect: "manual" });
  expect([answer.status, answer.headers.get("location"), await answer.text()]).toStrictEqual([302, "/docs", ""]);
  const posted = await fetch(world.service.baseUrl, { method: "POST" });
  expect([posted.status, posted.headers.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
});

describe("the interface description", () => {
  test("needs no credential, and looks at none", async () => {
    const answer = await world.anonymous.get<OpenApiDocument>("/v1/openapi.json");
    expect(answer.status).toBe(200);
    expect(answer.body.openapi).toBe("3.1.0");
    const wrong = new Client(world.service.baseUrl, { apiKey: "wrong" });
    expect((await wrong.get("/v1/openapi.json")).status).toBe(200);
  });

  test("is not sent again to who has it", async () => {
    const { headers } = await world.anonymous.get("/v1/openapi.json");
    const again = await world.anonymous.get("/v1/openapi.json", { "if-none-match": headers.get("etag") ?? "" });
    expect([again.status, again.text]).toStrictEqual([304, ""]);
    expect(again.headers.get("etag")).toBe(headers.get("etag"));
    expect((await world.anonymous.get("/v1/openapi.json", { "if-none-match": '"another"' })).status).toBe(200);
  });

  test("answers HEAD as it answers GET, and no other method", async () => {
    const head = await world.anonymous.send("HEAD", "/v1/openapi.json");
    expect([head.status, head.text]).toStrictEqual([200, ""]);
    const posted = await world.anonymous.post("/v1/openapi.json", {});
    expect([posted.status, posted.headers.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
    expect((await world.anonymous.get("/v1/openapi.json?x=1")).status).toBe(400);
  });

  test("is made once, not for each name the service is asked under", async () => {
    const asked = async (host: string) => {
      const request = `GET /v1/openapi.json HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
      const { head, body } = await sendRaw(world.service.baseUrl, request);
      return [/^etag: .*$/im.exec(head)?.[0], body];
    };
    expect(await asked("one.example.com")).toStrictEqual(await asked("another.example.com:8080"));
  });
});

describe("the page", () => {
  test("is there for everybody, runs what it was made with, and asks nobody but the service", async () => {
    const response = await fetch(`${world.service.baseUrl}/docs`);
    const text = await response.text();
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(response.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; img-src data:; /,
    );
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(text).toContain("Travel Booking Service API");
    expect(text.match(/<script/g)).toHaveLength(1);
    expect(text).not.toMatch(/<script[^>]* src|<img|<iframe|@import|url\(/i);
  });

  test("is there with a slash behind it, too", async () => {
    const [one, other] = await Promise.all(["/docs", "/docs/"].map((path) => fetch(world.service.baseUrl + path)));
    expect(await other?.text()).toBe(await one?.text());
  });

  test("has every operation the description has", async () => {
    const { body } = await world.anonymous.get<OpenApiDocument>("/v1/openapi.json");
    const text = await (await fetch(`${world.service.baseUrl}/docs`)).text();
    const ids = Object.values(body.paths).flatMap((item) => Object.values(item).map(({ operationId }) => operationId));
    expect(ids.filter((id) => !text.includes(`<article id="${id}"`))).toStrictEqual([]);
    expect(Object.keys(body.components.schemas).filter((name) => !text.includes(`id="schema-${name}"`))).toStrictEqual(
      [],
    );
  });

  test("is not sent again to who has it, and answers no other method", async () => {
    const url = `${world.service.baseUrl}/docs`;
    const { headers } = await fetch(url, { method: "HEAD" });
    const again = await fetch(url, { headers: { "if-none-match": headers.get("etag") ?? "" } });
    expect([again.status, await again.text()]).toStrictEqual([304, ""]);
    const posted = await fetch(url, { method: "POST" });
    expect([posted.status, posted.headers.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
  });
});

describe.each(["/docs", "/v1/openapi.json"])("%s", (path) => {
  /** Bytes as they were sent. */
  async function ask(headers: OutgoingHttpHeaders, method = "GET") {
    const asked = request(world.service.baseUrl + path, { method, headers }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
  }

  test("is compressed for who can read that, each encoding under a tag of its own", async () => {
    const plain = await ask({});
    const zipped = await ask({ "accept-encoding": "br, gzip;q=0.8" });
    expect(gunzipSync(zipped.bytes)).toStrictEqual(plain.bytes);
    expect(zipped.bytes.length * 5).toBeLessThan(plain.bytes.length);
    expect([plain.headers["content-encoding"], zipped.headers["content-encoding"]]).toStrictEqual([undefined, "gzip"]);
    expect([plain.headers.vary, zipped.headers.vary]).toStrictEqual(["Accept-Encoding", "Accept-Encoding"]);
    expect(plain.headers.etag).not.toBe(zipped.headers.etag);
    for (const [encoding, of, other] of [
      ["gzip", zipped, plain],
      ["identity", plain, zipped],
    ] as const) {
      const known = (tag: string | undefined) => ask({ "accept-encoding": encoding, "if-none-match": tag });
      const again = await known(of.headers.etag);
      expect([again.status, again.bytes.length, again.headers.etag]).toStrictEqual([304, 0, of.headers.etag]);
      expect((await known(other.headers.etag)).status).toBe(200);
      const head = await ask({ "accept-encoding": encoding }, "HEAD");
      expect([head.status, head.bytes.length, head.headers["content-length"]]).toStrictEqual([
        200,
        0,
        String(of.bytes.length),
      ]);
    }
  });

  test.each(["identity", "br", "gzip;q=0", "gzip; q=0.000, br", "notgzip", ""])(
    "is not compressed for Accept-Encoding: %s",
    async (encoding) => {
      expect((await ask({ "accept-encoding": encoding })).headers["content-encoding"]).toBeUndefined();
    },
  );

  test.each(["gzip", "GZIP", "*", "br,gzip", "gzip ; q=1.0, *;q=0", "deflate, gzip;q=0.001"])(
    "is compressed for Accept-Encoding: %s",
    async (encoding) => {
      expect((await ask({ "accept-encoding": encoding })).headers["content-encoding"]).toBe("gzip");
    },
  );
});

describe("Service-Version", () => {
  test.each([
    ["200", "GET", "/v1/flights", undefined],
    ["400", "GET", "/v1/flights?limit=0", undefined],
    ["404", "GET", "/v1/flights/none", undefined],
    ["404", "GET", "/v1/nothing", undefined],
    ["405", "POST", "/v1/destinations", {}],
    ["422", "POST", "/v1/flights/F-1/seat-holds", { seats: ["99Z"] }],
  ])("is on a %s: %s %s", async (status, method, path, body) => {
    const unasked = await world.alice.send(method, path, { body });
    expect([String(unasked.status), unasked.headers.get("service-version")]).toStrictEqual([status, VERSION]);
    const asked = await world.alice.send(method, path, { body, headers: { "service-version": VERSION } });
    expect([String(asked.status), asked.headers.get("service-version")]).toStrictEqual([status, VERSION]);
  });

  test("is on a 403", async () => {
    const reader = await world.withScopes(["events:read"]);
    const answer = await reader.get("/v1/flights");
    expect([answer.status, answer.headers.get("service-version")]).toStrictEqual([403, VERSION]);
  });

  test("is echoed to who has no valid credential, and stands for nobody else", async () => {
    const asked = await world.anonymous.get("/v1/flights", { "service-version": VERSION });
    expect([asked.status, asked.headers.get("service-version")]).toStrictEqual([401, VERSION]);
    const unasked = await world.anonymous.get("/v1/flights");
    expect([unasked.status, unasked.headers.get("service-version")]).toStrictEqual([401, null]);
  });

  test.each(["2026-11-02", "1", "latest", "2026-11-01, 2026-11-01", ""])("%p is none", async (version) => {
    const refused = await world.alice.get("/v1/flights", { "service-version": version });
    expect([refused.status, messageOf(refused)]).toStrictEqual([400, [`Service-Version must be one of ${VERSION}`]]);
    expect(refused.headers.get("service-version")).toBe(VERSION);
    expect((await world.anonymous.get("/v1/openapi.json", { "service-version": version })).status).toBe(400);
    const token = await world.anonymous.send("POST", "/v1/oauth/token", {
      body: "grant_type=client_credentials",
      headers: { "content-type": "application/x-www-form-urlencoded", "service-version": version },
    });
    expect([token.status, token.body]).toStrictEqual([
      400,
      { error: "invalid_request", error_description: `Service-Version must be one of ${VERSION}` },
    ]);
  });
});

describe("a deprecated operation says so", () => {
  test.each([
    [200, "alice", "/v1/flights/search"],
    [400, "alice", "/v1/flights/search?limit=5"],
    [401, "anonymous", "/v1/flights/search"],
  ] as const)("with a %i", async (status, who, path) => {
    const answer = await world[who].get(path);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("deprecation")).toBe("@1793491200");
    expect(answer.headers.get("sunset")).toBe("Mon, 01 Nov 2027 00:00:00 GMT");
    expect(answer.headers.get("link")).toBe('</v1/flights>; rel="successor-version"');
  });

  test("and no other does", async () => {
    const { headers } = await world.alice.get("/v1/flights");
    expect([headers.get("deprecation"), headers.get("sunset"), headers.get("link")]).toStrictEqual([null, null, null]);
  });
});

const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(`${world.service.baseUrl}${path}`, { headers });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

test("health needs no credential, and minds no wrong one", async () => {
  for (const path of ["/health/live", "/health/ready"]) {
    for (const headers of [{}, { "x-api-key": "wrong" }]) {
      const answer = await retryDuringElections(() => get(path, headers));
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
  for (const path of ["/health/live", "/health/ready"]) {
    const answer = await world.anonymous.send("POST", path);
    expect([answer.status, answer.headers.get("allow")]).toStrictEqual([405, "GET, HEAD"]);
  }
});

test("metrics say what was answered, as Prometheus reads it", async () => {
  await world.alice.newBooking("F-1");
  await world.alice.book("none");
  const response = await fetch(world.service.metricsUrl);
  const text = await response.text();
  expect([response.status, response.headers.get("content-type")]).toStrictEqual([
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

test("without a limit no answer speaks of one", async () => {
  const { status, headers } = await world.alice.get("/v1/flights");
  expect([status, ...[...headers.keys()].filter((name) => name.startsWith("x-ratelimit"))]).toStrictEqual([200]);
});
