import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { operatorPage } from "@travel-booking/operator/page";
import express from "express";

const TOKEN = "a token of the operator's, long enough";
const HOUR = 3_600_000;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly name: string | undefined;
  readonly body: string;
}

/** What the operator interface answers, by method and path; 404 without one. */
let answers: Record<string, unknown>;
let asked: Asked[];
let servers: Server[];
let base: string;
let now: number;

beforeEach(async () => {
  answers = {};
  asked = [];
  now = Date.parse("2026-11-23T08:00:00Z");
  const interfaceUrl = await listening(
    createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { method = "", url: path = "", headers } = request;
      asked.push({ method, path, name: headers["operator-name"] as string | undefined, body });
      const answer = answers[`${method} ${path.split("?")[0]}`];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      response.end(JSON.stringify(answer ?? { statusCode: 404, message: "there is none" }));
    }),
    [],
  );
  servers = [];
  const app = express();
  app.use(
    operatorPage({ token: TOKEN, url: () => interfaceUrl, stopping: new Promise(() => undefined), now: () => now }),
  );
  base = await listening(createServer(app), servers);
});
afterEach(() => {
  for (const server of servers) server.close();
});

const opened: Server[] = [];
async function listening(server: Server, into: Server[]): Promise<string> {
  into.push(server);
  opened.push(server);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  server.unref();
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  readonly text: string;
}

async function send(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  form?: Record<string, string>,
): Promise<Answer> {
  const body = form === undefined ? undefined : String(new URLSearchParams(form));
  const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const sent = httpRequest(base + path, { method, headers: { ...type, ...headers }, agent: false }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const own = () => ({ origin: base });

/** The cookie of an operator who has signed in. */
async function signIn(name = "Grace Hopper"): Promise<string> {
  const { headers } = await send("POST", "/sign-in", own(), { token: TOKEN, name });
  return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
}

const formTokenIn = (text: string) => /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? "";

describe("signing in", () => {
  test("asks for the token once, and keeps it in no cookie", async () => {
    const first = await send("GET", "/accounts");
    expect([first.status, first.headers.location]).toStrictEqual([303, "/sign-in?back=%2Faccounts"]);
    const done = await send("POST", "/sign-in", own(), { token: TOKEN, name: "Grace Hopper", back: "/accounts" });
    expect([done.status, done.headers.location]).toStrictEqual([303, "/accounts"]);
    const [cookie = ""] = done.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(/^operator_session=[\w.-]+; Path=\/; HttpOnly; SameSite=Strict$/);
    expect(decodeURIComponent(cookie)).not.toContain(TOKEN);
    answers["GET /operator/accounts"] = { data: [] };
    expect((await send("GET", "/accounts", { cookie: cookie.split(";")[0] ?? "" })).status).toBe(200);
    expect(asked).toMatchObject([{ path: "/operator/accounts", name: "Grace%20Hopper" }]);
  });

  test.each([
    ["another token", { token: `${TOKEN}x`, name: "Grace" }],
    ["no name", { token: TOKEN, name: " " }],
    ["a name that steers terminals", { token: TOKEN, name: "a\u202eb" }],
  ])("is refused with %s", async (_, form) => {
    const { status, headers } = await send("POST", "/sign-in", own(), form);
    expect([status, headers["set-cookie"]]).toStrictEqual([401, undefined]);
  });

  test("leads to no other site", async () => {
    for (const back of ["//evil.example", "/\\evil.example", "https://evil.example"]) {
      const { headers } = await send("POST", "/sign-in", own(), { token: TOKEN, name: "Grace", back });
      expect(headers.location).toBe("/");
    }
  });

  test("ends an hour after the last page, and with another token", async () => {
    answers["GET /operator/accounts"] = { data: [] };
    const cookie = await signIn();
    now += HOUR - 1_000;
    const renewed = await send("GET", "/accounts", { cookie });
    expect(renewed.status).toBe(200);
    now += 2_000;
    expect((await send("GET", "/accounts", { cookie })).status).toBe(303);
    const newer = renewed.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect((await send("GET", "/accounts", { cookie: newer })).status).toBe(200);
    expect((await send("GET", "/live?of=/", { cookie })).status).toBe(401);
    const forged = `${newer.slice(0, -4)}AAAA`;
    expect((await send("GET", "/accounts", { cookie: forged })).status).toBe(303);
    const asks = asked.length;
    const { status } = await send("POST", "/accounts/acc_1/suspend", { ...own(), cookie }, { formToken: "x" });
    expect([status, asked.length]).toStrictEqual([401, asks]);
  });
});

describe("a change", () => {
  test("is made in the operator's name, and leads back to its page", async () => {
    answers["GET /operator/accounts"] = { data: [] };
    answers["POST /operator/accounts"] = { id: "acc_1", name: "Acme" };
    const cookie = await signIn("Grace Hopper");
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    asked = [];
    const done = await send("POST", "/accounts", { ...own(), cookie }, { formToken, back: "/accounts", name: "Acme" });
    expect([done.status, done.headers.location]).toStrictEqual([303, "/accounts"]);
    expect(asked).toStrictEqual([
      { method: "POST", path: "/operator/accounts", name: "Grace%20Hopper", body: '{"name":"Acme"}' },
    ]);
    const notice = done.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect((await send("GET", "/accounts", { cookie: `${cookie}; ${notice}` })).text).toContain(
      "The account acc_1 is open.",
    );
  });

  test.each([
    ["from another site", (host: string) => ({ origin: `${host}0` })],
    ["from nowhere", () => ({ origin: "null" })],
    ["without an origin", () => ({})],
  ])("%s is refused, and nothing is asked for", async (_, origin) => {
    answers["GET /operator/accounts"] = { data: [] };
    const cookie = await signIn();
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    asked = [];
    const headers = { ...origin(base), cookie } as Record<string, string>;
    const { status } = await send("POST", "/accounts", headers, { formToken, name: "Acme" });
    expect([status, asked]).toStrictEqual([403, []]);
  });

  test("with the form of another session is refused", async () => {
    answers["GET /operator/accounts"] = { data: [] };
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie: await signIn() })).text);
    asked = [];
    const { status } = await send(
      "POST",
      "/accounts",
      { ...own(), cookie: await signIn() },
      { formToken, name: "Acme" },
    );
    expect([status, asked]).toStrictEqual([403, []]);
  });

  test("takes the text of a file with its byte order mark", async () => {
    const cookie = await signIn();
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    asked = [];
    const catalogue = '\uFEFF{"destinations":[],"flights":[]}';
    await send("POST", "/catalogue/preview", { ...own(), cookie }, { formToken, catalogue });
    expect(asked.map(({ body }) => body)).toStrictEqual(['{"destinations":[],"flights":[]}']);
  });

  test("that the service refuses says why", async () => {
    const cookie = await signIn();
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    const { status, text } = await send("POST", "/refunds/rfd_1/settle", { ...own(), cookie }, { formToken });
    expect(status).toBe(409);
    expect(text).toContain("there is none");
  });
});

test("is not served under a name that somebody else may own", async () => {
  const { status } = await send("GET", "/", { host: "rebound.example.com" });
  expect(status).toBe(403);
});

test("what is no page says so; other methods are the interface's", async () => {
  const cookie = await signIn();
  expect((await send("GET", "/nothing", { cookie })).text).toContain("There is no such page.");
  const { status } = await send("DELETE", "/accounts", { cookie });
  expect(status).toBe(404);
});

test("runs, loads and shows nothing but its own", async () => {
  const { headers } = await send("GET", "/sign-in");
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; style-src 'sha256-[^']+'; script-src 'sha256-[^']+'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'$/,
  );
});

test("what customers write is text", async () => {
  const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>`;
  answers["GET /operator/accounts"] = { data: [{ id: hostile, name: hostile, status: "active" }] };
  const { text } = await send("GET", "/accounts", { cookie: await signIn(hostile) });
  expect(text.match(/<script/g)).toHaveLength(1);
  expect(text).not.toContain("<img");
  expect(
    text.split("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;").length,
  ).toBeGreaterThan(3);
});

test("a part that can't be had leaves the others", async () => {
  answers["GET /operator/projections"] = {
    data: [{ name: "bookings", state: "live", position: "7", lag: 0, error: null, failedAt: null, skipped: [] }],
  };
  const { status, text } = await send("GET", "/", { cookie: await signIn() });
  expect(status).toBe(200);
  expect(text).toContain("there is none");
  expect(text).toContain(">bookings</a>");
});

test.each([
  [`bkg_${"0".repeat(32)}`, `/bookings/bkg_${"0".repeat(32)}`],
  [`pay_${"1".repeat(44)}`, `/bookings/bkg_${"1".repeat(32)}`],
  ["whe_1", "/webhooks/whe_1"],
  ["acc_1", "/accounts/acc_1"],
  ["../x", "/search?word=..%2Fx"],
])("%s leads to %s", async (word, place) => {
  const { headers } = await send("GET", `/find?word=${encodeURIComponent(word)}`, { cookie: await signIn() });
  expect(headers.location).toBe(place);
});
