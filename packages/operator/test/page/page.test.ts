import { once } from "node:events";
import { createServer, request as httpRequest, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ClientAddressResolver } from "@travel-booking/http";
import { WrongTokens } from "@travel-booking/http/operator";
import { operatorPage } from "@travel-booking/operator/page";
import express from "express";

const TOKEN = "a token of the operator's, long enough";
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly name: string | undefined;
  readonly key: string | undefined;
  readonly body: string;
}

/** What the operator interface answers, by method and path; 404 without one. */
let answers: Record<string, unknown>;
let refusal: string;
let asked: Asked[];
let servers: Server[];
let base: string;
let interfaceUrl: string;
let now: number;
let state: InMemoryStateStore;
let logged: unknown[];

beforeEach(async () => {
  answers = {};
  refusal = "there is none";
  asked = [];
  now = Date.parse("2026-11-23T08:00:00Z");
  interfaceUrl = await listening(
    createServer(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      const { method = "", url: path = "", headers } = request;
      const header = (name: string) => headers[name] as string | undefined;
      asked.push({ method, path, name: header("operator-name"), key: header("idempotency-key"), body });
      const answer = answers[`${method} ${path.split("?")[0]}`];
      response.writeHead(answer === undefined ? 404 : 200, { "content-type": "application/json" });
      // A text stands for lines of JSON.
      const json =
        typeof answer === "string" ? answer : JSON.stringify(answer ?? { statusCode: 404, message: refusal });
      response.end(json);
    }),
    [],
  );
  servers = [];
  state = new InMemoryStateStore();
  logged = [];
  base = await instance();
});

/** The address of one more instance, which shares token and state with all others. */
function instance(readOnly = false): Promise<string> {
  const app = express();
  app.use(
    operatorPage({
      token: TOKEN,
      url: () => interfaceUrl,
      state,
      wrongTokens: new WrongTokens({
        addresses: new ClientAddressResolver(["127.0.0.1"]),
        logger: { warn: (...line: unknown[]) => void logged.push(line) },
        now: () => now,
      }),
      unavailableReason: (error) => (error instanceof StateStoreUnavailable ? "the state is away" : undefined),
      stopping: new Promise(() => undefined),
      readOnly,
      now: () => now,
    }),
  );
  return listening(createServer(app), servers);
}

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
  form?: Record<string, string> | readonly (readonly [string, string])[],
): Promise<Answer> {
  const body = form === undefined ? undefined : String(new URLSearchParams(form as Record<string, string>));
  const type = body === undefined ? {} : { "content-type": "application/x-www-form-urlencoded" };
  const sent = httpRequest(base + path, { method, headers: { ...type, ...headers }, agent: false }).end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) text += chunk;
  return { status: response.statusCode ?? 0, headers: response.headers, text };
}

const own = () => ({ origin: base });
const cookieOf = ({ headers }: Answer) => headers["set-cookie"]?.[0]?.split(";")[0] ?? "";

/** The cookie of an operator who has signed in. */
async function signIn(name = "Grace Hopper"): Promise<string> {
  return cookieOf(await send("POST", "/sign-in", own(), { token: TOKEN, name }));
}

/** Answers the cookie as it was copied before. */
async function signOut(cookie: string): Promise<string> {
  const formToken = formTokenIn((await send("GET", "/", { cookie })).text);
  const { status, headers } = await send("POST", "/sign-out", { ...own(), cookie }, { formToken });
  expect([status, headers.location]).toStrictEqual([303, "/"]);
  return cookie;
}

/** The fields of this dangerous form of a page, with what it asks for typed. */
function confirmedIn(text: string, action: string): Record<string, string> {
  const form = text.split("<form ").find((one) => one.startsWith(`method="post" action="${action}"`)) ?? "";
  const [, named = "", nameToken = ""] =
    /name="named" value="([^"]*)"><input type="hidden" name="nameToken" value="([^"]*)"/.exec(form) ?? [];
  return { named, nameToken, confirm: named };
}

const formTokenIn = (text: string) => /name="formToken" value="([^"]+)"/.exec(text)?.[1] ?? "";

test("a document is given to nobody by itself, and one that is decided says by whom", async () => {
  const cookie = await signIn();
  const document = { id: "doc_1", bookingId: "bkg_1", kind: "passport", fileName: "a.png", awaits: null, read: null };
  const times = { departsAt: "2027-01-01T00:00:00Z", mustBeValidUntil: "2027-07-01" };
  const undecided = { rejectionReason: null, decided: null, holders: [] };
  answers["GET /operator/documents"] = { data: [] };
  const optionsFor = async (status: string, ...passengers: readonly string[]) => {
    answers["GET /operator/documents/doc_1"] = { ...document, ...times, status, ...undecided, passengers };
    const { text } = await send("GET", "/documents/doc_1", { cookie });
    return /<select name="passenger" required>(.*?)<\/select>/.exec(text)?.[1];
  };
  const nobody = `<option value="" selected>choose</option>`;
  const [ada, bob] = [`<option value="0">Ada</option>`, `<option value="1">Bob</option>`];
  expect(await optionsFor("pending", "Ada", "Bob")).toBe(nobody + ada + bob);
  expect(await optionsFor("verified", "Ada", "Bob")).toBe(nobody + ada + bob);
  expect(await optionsFor("pending", "Ada")).toBe(nobody + ada);
  const decided = { by: { kind: "operator", id: "Grace Hopper" }, at: "2026-11-27T12:00:00Z" };
  const verified = { ...document, ...times, ...undecided, status: "verified", passengers: ["Ada"] };
  answers["GET /operator/documents/doc_1"] = { ...verified, decided, holders: ["Ada"] };
  const { text } = await send("GET", "/documents/doc_1", { cookie });
  for (const part of ["<dt>decided by</dt><dd>Grace Hopper", "<dt>document of</dt><dd>Ada</dd>"])
    expect(text).toContain(part);
});

describe("signing in", () => {
  test("asks for the token once, and keeps it in no cookie", async () => {
    const first = await send("GET", "/accounts");
    expect([first.status, first.headers.location]).toStrictEqual([303, "/sign-in?back=%2Faccounts"]);
    const done = await send("POST", "/sign-in", own(), { token: TOKEN, name: "Grace Hopper", back: "/accounts" });
    expect([done.status, done.headers.location]).toStrictEqual([303, "/accounts"]);
    const [cookie = ""] = done.headers["set-cookie"] ?? [];
    expect(cookie).toMatch(
      new RegExp(`^operator_session_${new URL(base).port}=[\\w.-]+; Path=/; HttpOnly; SameSite=Strict$`),
    );
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
    const evil = [
      "//evil.example",
      "/\\evil.example",
      "https://evil.example",
      "/\t/evil.example",
      "/\n/evil.example",
      "/a\0",
    ];
    for (const back of evil) {
      const { headers } = await send("POST", "/sign-in", own(), { token: TOKEN, name: "Grace", back });
      expect(headers.location).toBe("/");
      const { text } = await send("GET", `/sign-in?back=${encodeURIComponent(back)}`);
      expect(text).toContain('name="back" value="/"');
    }
  });

  test("takes of what is sent twice the first", async () => {
    const form = [
      ["token", TOKEN],
      ["token", "x"],
      ["name", "Grace"],
      ["name", "Ada"],
      ["back", "/accounts"],
      ["back", "/money"],
    ] as const;
    const { status, headers } = await send("POST", "/sign-in", own(), form);
    expect([status, headers.location]).toStrictEqual([303, "/accounts"]);
    const { text } = await send("GET", "/sign-in?back=/accounts&back=/money");
    expect(text).toContain('name="back" value="/accounts"');
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

describe("a cookie that was copied", () => {
  const statusOf = async (cookie: string, path = "/accounts") => (await send("GET", path, { cookie })).status;

  beforeEach(() => {
    answers["GET /operator/accounts"] = { data: [] };
  });

  test("is void once its operator has signed out, on every instance, and after a restart", async () => {
    const other = await signIn("Ada Lovelace");
    const copy = await signOut(await signIn());
    expect([await statusOf(copy), await statusOf(other)]).toStrictEqual([303, 200]);
    asked = [];
    const { status } = await send("POST", "/accounts", { ...own(), cookie: copy }, { formToken: "x", name: "Acme" });
    expect([status, asked]).toStrictEqual([401, []]);
    const first = base;
    base = await instance();
    const sameName = (cookie: string) => cookie.replace(new URL(first).port, new URL(base).port);
    expect([await statusOf(sameName(copy)), await statusOf(sameName(other))]).toStrictEqual([303, 200]);
  });

  test("is void, too, if a page has renewed it since", async () => {
    const cookie = await signIn();
    const copy = cookieOf(await send("GET", "/accounts", { cookie }));
    now += 1_000;
    await signOut(cookie);
    expect([await statusOf(cookie), await statusOf(copy)]).toStrictEqual([303, 303]);
  });

  test("follows no page any longer", async () => {
    const cookie = await signIn();
    const opened = httpRequest(`${base}/live?of=/accounts`, { headers: { cookie }, agent: false }).end();
    const [live] = (await once(opened, "response")) as [IncomingMessage];
    expect(live.statusCode).toBe(200);
    await once(live, "data");
    await signOut(cookie);
    live.resume();
    await once(live, "end");
    expect(await statusOf(cookie, "/live?of=/accounts")).toBe(401);
  });

  test("lives twelve hours at most, however often it is used", async () => {
    let cookie = await signIn();
    for (let hour = 0; hour < 23; hour += 1) {
      now += HOUR / 2;
      const answer = await send("GET", "/accounts", { cookie });
      expect([hour, answer.status]).toStrictEqual([hour, 200]);
      cookie = cookieOf(answer);
    }
    now += HOUR / 2 - 1_000;
    cookie = cookieOf(await send("GET", "/accounts", { cookie }));
    now += 1_000;
    expect(await statusOf(cookie)).toBe(303);
  });

  test("is remembered as ended for as long as it could be used, and no longer", async () => {
    const copy = await signOut(await signIn());
    const ended = () => state.list("operator-sessions-ended", { limit: 10 });
    // What expires by the service's clock, which an operator may move, goes.
    await state.removeExpired(now + 365 * 24 * HOUR, 10);
    expect(await statusOf(copy)).toBe(303);
    now += 12 * HOUR + 1_000;
    await signOut(await signIn());
    expect((await ended()).map(({ key }) => copy.includes(key))).toStrictEqual([false]);
  });

  test("is no use while nobody knows whether it is void", async () => {
    const cookie = await signIn();
    state.get = () => Promise.reject(new StateStoreUnavailable("away"));
    const { status, text } = await send("GET", "/accounts", { cookie });
    expect(status).toBe(503);
    expect(text).toContain("the state is away: nobody knows who has signed out. Commands need no session.");
  });
});

describe("wrong tokens", () => {
  const from = (address: string) => ({ ...own(), "x-forwarded-for": address });
  const guess = (address: string, token = "guessed", name = "Grace") =>
    send("POST", "/sign-in", from(address), { token, name });

  test("ten of an address in a minute are tried, and each is in the log without the token", async () => {
    for (let time = 0; time < 10; time += 1) expect((await guess("192.0.2.1", `guess ${time}`)).status).toBe(401);
    const refused = await guess("192.0.2.1", TOKEN);
    expect([refused.status, refused.headers["set-cookie"], refused.headers["retry-after"]]).toStrictEqual([
      429,
      undefined,
      "60",
    ]);
    expect(refused.text).toContain("Too many wrong tokens came from your address");
    expect((await guess("192.0.2.2", TOKEN)).status).toBe(303);
    const line = [{ address: "192.0.2.1" }, "a sign-in to the operator's page has failed"];
    expect(logged).toStrictEqual(Array.from({ length: 10 }, () => line));
    now += MINUTE;
    expect((await guess("192.0.2.1", TOKEN)).status).toBe(303);
  });

  test("at once are no way past that, nor a name that is none, nor the addresses of one network", async () => {
    const many = await Promise.all(
      Array.from({ length: 30 }, (_, each) =>
        guess(`2001:db8:1:2::${each}`, "guessed", each % 2 === 0 ? " " : "Grace"),
      ),
    );
    const count = (wanted: number) => many.filter(({ status }) => status === wanted).length;
    expect([count(401), count(429)]).toStrictEqual([10, 20]);
    expect(logged).toStrictEqual(
      Array.from({ length: 10 }, () => [
        { address: "2001:db8:1:2::/64" },
        "a sign-in to the operator's page has failed",
      ]),
    );
  });

  test("count for nobody who gives the right one", async () => {
    for (let time = 0; time < 30; time += 1) expect((await guess("192.0.2.1", TOKEN)).status).toBe(303);
  });
});

test.each([
  "/live?of=/bookings/%25E0%25A4%25A",
  "/live?of=//",
  "/live?of=http://[",
  "/live?of=/nothing",
  "//",
  "//evil.example/accounts",
])("%s is a page that is not there", async (path) => {
  expect((await send("GET", path, { cookie: await signIn() })).status).toBe(404);
});

test.each(["/bookings/%E0%A4%A", "/find?word=a&word=b", "/accounts?x=%E0%A4%A", "/%00"])(
  "%s is answered",
  async (path) => {
    expect((await send("GET", path, { cookie: await signIn() })).status).toBeLessThan(500);
  },
);

describe("a change", () => {
  test("is made in the operator's name, and leads back to its page", async () => {
    answers["GET /operator/accounts"] = { data: [] };
    answers["POST /operator/accounts"] = { id: "acc_1", name: "Acme" };
    const cookie = await signIn("Grace Hopper");
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    asked = [];
    const done = await send("POST", "/accounts", { ...own(), cookie }, { formToken, back: "/accounts", name: "Acme" });
    expect([done.status, done.headers.location]).toStrictEqual([303, "/accounts"]);
    expect(asked).toMatchObject([
      { method: "POST", path: "/operator/accounts", name: "Grace%20Hopper", body: '{"name":"Acme"}' },
    ]);
    const notice = done.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
    expect((await send("GET", "/accounts", { cookie: `${cookie}; ${notice}` })).text).toContain(
      "The account acc_1 is open.",
    );
  });

  test("has the same key when its form is sent twice, and another from another load of the page", async () => {
    answers["GET /operator/accounts"] = { data: [] };
    answers["POST /operator/accounts"] = { id: "acc_1", name: "Acme" };
    const cookie = await signIn();
    const sent = async (text: string, path = "/accounts", name = "Acme") => {
      asked = [];
      const load = /name="load" value="([^"]+)"/.exec(text)?.[1] ?? "";
      await send("POST", path, { ...own(), cookie }, { formToken: formTokenIn(text), load, name });
      return asked[0]?.key;
    };
    const { text } = await send("GET", "/accounts", { cookie });
    const key = await sent(text);
    expect(key).toMatch(/^[\w-]{43}$/);
    expect(await sent(text)).toBe(key);
    expect(await sent(text, "/accounts", "Another")).not.toBe(key);
    expect(await sent(text, "/accounts/acc_1/resume")).not.toBe(key);
    expect(await sent((await send("GET", "/accounts", { cookie })).text)).not.toBe(key);
    // What is followed has the forms of the page that it updates.
    const load = /data-load="([^"]+)"/.exec(text)?.[1] ?? "";
    const live = httpRequest(`${base}/live?of=/accounts&load=${load}`, { headers: { cookie }, agent: false }).end();
    const [update] = (await once(live, "response")) as [IncomingMessage];
    const [data] = (await once(update.setEncoding("utf8"), "data")) as [string];
    live.destroy();
    expect(await sent(JSON.parse(data.slice("data: ".length)))).toBe(key);
    await send("POST", "/catalogue/preview", { ...own(), cookie }, { formToken: formTokenIn(text), catalogue: "{}" });
    expect(asked.at(-1)?.key).toBeUndefined();
  });

  test("has a key of its own for each preview of money, and the same one when that is sent twice", async () => {
    const cookie = await signIn();
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    const nothing = { names: 0, bookingId: null, reference: null, receivedBefore: false, total: null };
    answers["POST /operator/transfers/preview"] = { ...nothing, amount: 7_000, currency: "USD" };
    const money = { formToken, reference: "Smith holiday", sum: "70.00", currency: "USD" };
    const loadOfPreview = async () => {
      const { text } = await send("POST", "/transfers/preview", { ...own(), cookie }, { ...money, load: "load-1" });
      return /name="load" value="([^"]+)"/.exec(text)?.[1] ?? "";
    };
    const loads = [await loadOfPreview(), await loadOfPreview()] as const;
    asked = [];
    for (const load of [loads[0], loads[0], loads[1]])
      await send("POST", "/transfers", { ...own(), cookie }, { ...money, load });
    const [key, again, other] = asked.map((one) => one.key);
    expect([again === key, other === key]).toStrictEqual([true, false]);
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
    expect(asked[0]?.body).toBe('{"destinations":[],"flights":[]}');
  });

  test("that the service refuses says why", async () => {
    const cookie = await signIn();
    const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
    const { status, text } = await send("POST", "/refunds/rfd_1/retry", { ...own(), cookie }, { formToken });
    expect(status).toBe(409);
    expect(text).toContain("there is none");
  });

  test("that is refused is on its page again as it was sent, with what is wrong beside the field", async () => {
    answers["GET /operator/accounts/acc_1"] = { id: "acc_1", name: "Acme", status: "active", quotas: [] };
    answers["GET /operator/credentials"] = { data: [] };
    const cookie = await signIn();
    const { text: before } = await send("GET", "/accounts/acc_1", { cookie });
    const sent = { accountId: "acc_1", kind: "oauth-client", name: "<b>2026", scopes: "flights:raed" };
    const form = { formToken: formTokenIn(before), back: "/accounts/acc_1", load: "load-1", ...sent };
    refusal = "scopes must be known scopes";
    const { status, text } = await send("POST", "/credentials", { ...own(), cookie }, form);
    expect(status).toBe(409);
    for (const part of [
      "<h1>Account</h1>",
      '<input name="name" value="&lt;b&gt;2026"',
      '<option value="oauth-client" selected>',
      'value="flights:raed" size="40" placeholder="flights:read bookings:read" aria-invalid="true" aria-describedby="wrong-scopes" autofocus>',
      '<small class="wrong" id="wrong-scopes">must be known scopes</small>',
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain('value="load-1"');
  });

  test("that can't be undone is done once its name is typed, and asks for nothing else before", async () => {
    answers["GET /operator/accounts/acc_1"] = { id: "acc_1", name: "Ac  me", status: "active", quotas: [] };
    answers["GET /operator/credentials"] = { data: [] };
    answers["POST /operator/accounts/acc_1/suspend"] = {};
    const cookie = await signIn();
    const { text } = await send("GET", "/accounts/acc_1", { cookie });
    const asks = confirmedIn(text, "/accounts/acc_1/suspend");
    const suspend = (confirm: string) => {
      const form = { formToken: formTokenIn(text), back: "/accounts/acc_1", ...asks, confirm };
      return send("POST", "/accounts/acc_1/suspend", { ...own(), cookie }, form);
    };
    const refused = await suspend("Acne");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain('<details class="danger" open><summary>Suspend…</summary>');
    expect(asked.filter(({ method }) => method === "POST")).toStrictEqual([]);
    expect((await suspend(" Ac me ")).status).toBe(303);
    expect(asked.filter(({ method }) => method === "POST").map(({ path }) => path)).toStrictEqual([
      "/operator/accounts/acc_1/suspend",
    ]);
  });
});

test.each([
  ...["/accounts/a/suspend", "/accounts/a/erase", "/credentials/c/revoke", "/bookings/b/erase", "/flights/F1/cancel"],
  ...["/refunds/r/settle", "/transfers/e/returned", "/transfers/e/reverse", "/projections/p/skip"],
  ...["/webhooks/w/replay", "/webhooks/w/rotate-secret", "/webhooks/w/delete"],
])("%s is not done by a form that asked for nothing, or for a name of its own, or of another action", async (path) => {
  answers["GET /operator/accounts/acc_1"] = { id: "acc_1", name: "Acme", status: "active", quotas: [] };
  answers["GET /operator/credentials"] = { data: [] };
  const cookie = await signIn();
  const { text } = await send("GET", "/accounts/acc_1", { cookie });
  const formToken = formTokenIn(text);
  asked = [];
  const other = confirmedIn(text, "/accounts/acc_1/erase");
  expect(other.named).toBe("Acme");
  for (const asks of [{}, { named: "x", confirm: "x" }, other]) {
    const form = { formToken, back: "/sign-in", revision: "2", ...asks };
    expect((await send("POST", path, { ...own(), cookie }, form)).status).toBe(409);
  }
  expect(asked.filter(({ method }) => method !== "GET")).toStrictEqual([]);
});

test("is not served under a name that somebody else may own", async () => {
  const { status } = await send("GET", "/", { host: "rebound.example.com" });
  expect(status).toBe(403);
});

test("a service that changes nothing says so on every page", async () => {
  const text = async () => (await send("GET", "/streams", { cookie: await signIn() })).text;
  expect(await text()).not.toContain("Read-only");
  base = await instance(true);
  expect(await text()).toContain("Read-only: this is a service to be looked at.");
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

test("money that matches nothing can be matched, or was sent back", async () => {
  const nobody = { reference: "for <b>Ada</b>", bookingId: null, paymentId: null, accountId: null, currency: null };
  const row = { id: "e1", ...nobody, amount: 500, status: "unmatched", createdAt: "2026-11-23T08:00:00.000Z" };
  const other = { ...row, id: "e2", reference: null, status: "returned" };
  for (const list of ["refunds", "transfers/expected", "disputes"]) answers[`GET /operator/${list}`] = { data: [] };
  answers["GET /operator/transfers"] = { data: [row, other] };
  answers["POST /operator/transfers"] = { data: [{ ...row, currency: "USD", status: "partial" }] };
  answers["POST /operator/transfers/e1/returned"] = { ...row, status: "returned" };
  const cookie = await signIn();
  const { text } = await send("GET", "/money", { cookie });
  expect(text).toContain("for &lt;b&gt;Ada&lt;/b&gt;");
  const formToken = formTokenIn(text);
  asked = [];
  const match = { formToken, entryId: "e1", amount: "500", currency: "", reference: "RF18539007547034" };
  expect((await send("POST", "/transfers", { ...own(), cookie }, match)).status).toBe(303);
  const asks = confirmedIn(text, "/transfers/e1/returned");
  const returned = { formToken, ...asks };
  expect((await send("POST", "/transfers/e1/returned", { ...own(), cookie }, returned)).status).toBe(303);
  expect([asks.named, confirmedIn(text, "/transfers/e1/reverse").named]).toStrictEqual(["500", "mistake 500"]);
  expect(asked.map(({ path, body }) => [path, body])).toStrictEqual([
    ["/operator/transfers", '{"reference":"RF18539007547034","amount":500,"entryId":"e1"}'],
    ["/operator/transfers/e1/returned", ""],
  ]);
});

const BOOKING = {
  ...{ bookingId: "bkg_1", accountId: "acc_1", flightId: "F1", cabin: "economy", reference: null, currency: "USD" },
  ...{ passengers: [{ name: "Ada", email: "ada@example.com" }], seats: ["1A"], departsAt: 0, createdAt: 0 },
  ...{ documents: [], surcharges: [0], payments: [], returns: [], fareAmount: 0, creditApplied: 0, totalAmount: 0 },
  ...{ status: "confirmed", flown: false },
};

const COUPLE = {
  passengers: [
    { name: "Ada", email: "ada@example.com" },
    { name: "Bob", email: "bob@example.com" },
  ],
  seats: ["1A", "1B"],
};

const CREATED = { type: "BookingCreated", at: "2026-11-01T00:00:00Z" };

test("a booking's page has the latest events, with values cut, and is rendered anew once there is one more", async () => {
  const cookie = await signIn();
  const actor = { kind: "credential", id: "crd_1" };
  const changes = { reference: { from: null, to: "R".repeat(1_000) } };
  const moment = { revision: 7, type: "BookingChanged", at: CREATED.at, actor, requestId: null, causationId: null };
  answers["GET /operator/bookings/bkg_1"] = {
    ...{ id: "bkg_1", at: 7, last: 7, event: moment, seats: [], cancellation: null, booking: BOOKING },
    timeline: [{ ...moment, data: {}, changes }],
  };
  answers["GET /operator/bookings/bkg_1/last"] = { id: "bkg_1", last: 7 };
  const live = httpRequest(`${base}/live?of=/bookings/bkg_1`, { headers: { cookie }, agent: false }).end();
  const [update] = (await once(live, "response")) as [IncomingMessage];
  update.setEncoding("utf8");
  const pieces = update[Symbol.asyncIterator]();
  const page = JSON.parse(String((await pieces.next()).value).slice("data: ".length));
  expect([page.match(/R+…/g), page.match(/before=\d+/g)]).toStrictEqual([[`${"R".repeat(299)}…`], ["before=7"]]);
  asked = [];
  expect((await pieces.next()).value).toBe(":\n\n");
  expect(asked.map(({ path }) => path)).toStrictEqual(["/operator/bookings/bkg_1/last?from=7"]);
  answers["GET /operator/bookings/bkg_1/last"] = { id: "bkg_1", last: 8 };
  await pieces.next();
  live.destroy();
  expect(asked.slice(1, 3).map(({ path }) => path)).toStrictEqual([
    "/operator/bookings/bkg_1/last?from=7",
    "/operator/bookings/bkg_1",
  ]);
});

test("a booking that is over can be forgotten, one that is to come or as it was before can't", async () => {
  const cookie = await signIn();
  const shown = async (state: object, last = 0) => {
    answers["GET /operator/bookings/bkg_1"] = {
      id: "bkg_1",
      at: 0,
      last,
      event: CREATED,
      timeline: [],
      seats: [],
      cancellation: null,
      booking: { ...BOOKING, ...state },
    };
    return (await send("GET", "/bookings/bkg_1", { cookie })).text;
  };
  expect(await shown({ status: "confirmed", flown: false })).not.toContain("Forget them");
  expect(await shown({ status: "cancelled", flown: false, cancelledAt: 0, cause: "customer" })).toContain(
    "Forget them",
  );
  const text = await shown({ status: "confirmed", flown: true });
  answers["POST /operator/bookings/bkg_1/erase"] = {};
  const asks = confirmedIn(text, "/bookings/bkg_1/erase");
  const form = { formToken: formTokenIn(text), back: "/bookings/bkg_1", ...asks };
  expect((await send("POST", "/bookings/bkg_1/erase", { ...own(), cookie }, form)).status).toBe(303);
  expect(asked.at(-1)).toMatchObject({ method: "POST", path: "/operator/bookings/bkg_1/erase" });
  expect(await shown({ flown: true, ...COUPLE }, 1)).not.toContain("Forget");
  const WORDS = ["why, for operators alone", "Write it down"];
  const places = async (state: object) => {
    const page = await shown({ flown: true, ...state });
    return WORDS.map((word) => page.includes(word));
  };
  expect(await places({})).toStrictEqual([true, true]);
  for (const erased of [true, [0]]) expect(await places({ erased })).toStrictEqual([false, false]);
});

test("the overview leads to the bookings of parties that could be given no seats", async () => {
  const waiting = { partiesWithoutSeats: 2, partiesUnseated: 1, unseated: ["bkg_1"] };
  answers["GET /operator/summary"] = { due: null, waiting };
  const { text } = await send("GET", "/", { cookie: await signIn() });
  expect(text).toContain(
    '<li class="bad"><strong>1</strong> parties given up by the automatic assignment <a href="/bookings/bkg_1">',
  );
});

test("who looks at it sees a backup go on, and what else there is at System is not made again", async () => {
  const cookie = await signIn();
  answers["GET /operator/backup"] = { underway: { path: "/b", bytes: 1, of: 4 } };
  const live = httpRequest(`${base}/live?of=/system`, { headers: { cookie }, agent: false }).end();
  const [update] = (await once(live, "response")) as [IncomingMessage];
  const pieces = update.setEncoding("utf8")[Symbol.asyncIterator]();
  await pieces.next();
  asked = [];
  expect((await pieces.next()).value).toBe(":\n\n");
  expect(asked.map(({ path }) => path)).toStrictEqual(["/operator/backup"]);
  answers["GET /operator/backup"] = { underway: { path: "/b", bytes: 2, of: 4 } };
  expect((await pieces.next()).value).toContain('value=\\"2\\"');
  live.destroy();
});

test.each(["/search?word=x", "/persons?email=x%40example.com", "/flights/F1"])(
  "%s reads too much to be made again while it is open",
  async (path) => {
    answers["GET /operator/flights/F1"] = { id: "F1", sale: "open", load: [], fares: [], blocked: [], seatMap: [] };
    const { text } = await send("GET", path, { cookie: await signIn() });
    expect([
      text.includes("<section"),
      text.includes('<section id="flight"'),
      / data-live[ >]/.test(text),
    ]).toStrictEqual([true, path === "/flights/F1", false]);
  },
);

test("of those who were forgotten what is not ended and the newest are shown", async () => {
  const rows = Array.from({ length: 101 }, (_, at) => ({
    ...{ kind: "booking", id: `bkg_${at}.` },
    erasedAt: at === 50 ? null : new Date(at * 1_000).toISOString(),
  }));
  answers["GET /operator/erasures"] = { data: rows };
  const { text } = await send("GET", "/persons", { cookie: await signIn() });
  const ids = [...text.matchAll(/bkg_(\d+)\./g)].map(([, id]) => Number(id));
  expect([ids.length, ...ids.slice(0, 3), ids.at(-1)]).toStrictEqual([100, 50, 100, 99, 1]);
  expect(text).toContain("The newest 100 of 101.");
});

test("one of a party is forgotten by the place and the name, which may be another's by now", async () => {
  const cookie = await signIn();
  const [at, last] = [0, 0];
  const booking = { ...BOOKING, ...COUPLE, flown: true };
  const shown = { id: "bkg_1", at, last, event: CREATED, timeline: [], seats: [], cancellation: null, booking };
  answers["GET /operator/bookings/bkg_1"] = shown;
  answers["POST /operator/bookings/bkg_1/erase"] = {};
  const { text } = await send("GET", "/bookings/bkg_1", { cookie });
  const asks = confirmedIn(text, "/bookings/bkg_1/erase");
  const form = { formToken: formTokenIn(text), back: "/bookings/bkg_1", passenger: "0", ...asks };
  expect((await send("POST", "/bookings/bkg_1/erase", { ...own(), cookie }, form)).status).toBe(303);
  expect(asked.findLast(({ method }) => method === "POST")?.body).toBe('{"passenger":0,"name":"Ada"}');
});

test("a booking is cancelled in its owner's place once its name is typed, and says before what goes back", async () => {
  const cookie = await signIn();
  const path = "/bookings/bkg_1";
  answers[`GET /operator${path}`] = {
    ...{ id: "bkg_1", at: 0, last: 0, event: CREATED, timeline: [], seats: ["1A"], booking: BOOKING },
    cancellation: { refundAmount: 30_250, credit: 1_000 },
  };
  answers[`POST /operator${path}/cancel`] = {};
  answers[`POST /operator${path}/seats`] = {};
  const { text } = await send("GET", path, { cookie });
  expect(text).toContain("<p>USD 302.50 and USD 10.00 of credit go back. Its seats are free again.</p>");
  const form = { formToken: formTokenIn(text), back: path, reason: "ill" };
  expect((await send("POST", `${path}/cancel`, { ...own(), cookie }, form)).status).toBe(409);
  const confirmed = { ...form, ...confirmedIn(text, `${path}/cancel`) };
  expect((await send("POST", `${path}/cancel`, { ...own(), cookie }, confirmed)).status).toBe(303);
  const seats = { ...form, reason: "", seats: "2A, 2B" };
  expect((await send("POST", `${path}/seats`, { ...own(), cookie }, seats)).status).toBe(303);
  const done = asked
    .filter(({ path: to }) => to.startsWith(`/operator${path}/`))
    .map(({ path: to, body }) => [to, body]);
  expect(done).toStrictEqual([
    [`/operator${path}/cancel`, '{"reason":"ill"}'],
    [`/operator${path}/seats`, '{"seats":["2A","2B"]}'],
  ]);
});

test("a disruption of a booking is answered for its client; only a refund is asked for twice", async () => {
  const cookie = await signIn();
  const path = "/bookings/bkg_1";
  const open = { caseId: "dcs_1", status: "open", after: null, respondBy: 1 };
  answers[`GET /operator${path}`] = {
    ...{ id: "bkg_1", at: 0, last: 0, event: CREATED, timeline: [], seats: ["1A"] },
    ...{ booking: { ...BOOKING, cases: [open] }, cancellation: null },
  };
  answers["POST /operator/cases/dcs_1/settle"] = { outcome: "rebooked" };
  const { text } = await send("GET", path, { cookie });
  const form = { formToken: formTokenIn(text), back: path, caseId: "dcs_1" };
  const rebook = { ...form, answer: "rebook", flightId: "F2" };
  expect((await send("POST", `${path}/settle`, { ...own(), cookie }, rebook)).status).toBe(303);
  expect((await send("POST", `${path}/refund-case`, { ...own(), cookie }, form)).status).toBe(409);
  const confirmed = { ...form, ...confirmedIn(text, `${path}/refund-case`) };
  expect((await send("POST", `${path}/refund-case`, { ...own(), cookie }, confirmed)).status).toBe(303);
  expect(asked.filter(({ path: to }) => to.endsWith("/settle")).map(({ body }) => JSON.parse(body))).toStrictEqual([
    { answer: "rebook", flightId: "F2" },
    { answer: "refund" },
  ]);
});

test("an earlier moment of a booking shows which seats it has today", async () => {
  const rows = [{ number: 1, seats: ["1A", "1B", "1C"].map((number) => ({ number, status: "booked" })) }];
  answers["GET /operator/flights/F1"] = { seatMap: [{ cabin: "economy", columns: ["A", "B", "C"], aisles: [], rows }] };
  const moment = (revision: number, changes: object) => ({
    revision,
    type: "BookingChanged",
    at: 0,
    actor: { kind: "credential", id: "crd_1" },
    requestId: null,
    causationId: null,
    data: {},
    changes,
  });
  const timeline = [
    moment(0, { seats: { from: null, to: ["1A"] } }),
    moment(1, { seats: { from: ["1A"], to: ["1B"] } }),
  ];
  answers["GET /operator/bookings/bkg_1"] = {
    id: "bkg_1",
    at: 0,
    last: 1,
    event: CREATED,
    timeline,
    seats: ["1B"],
    cancellation: null,
    booking: BOOKING,
  };
  answers["POST /operator/names"] = { names: { acc_1: "Acme", crd_1: "web shop" } };
  const { text } = await send("GET", "/bookings/bkg_1?at=0", { cookie: await signIn() });
  expect(text.match(/<td class="(?:own|later|booked)" title="[^"]*">/g)).toStrictEqual([
    '<td class="own" title="1A passenger 1">',
    '<td class="later" title="1B passenger 1 today">',
    '<td class="booked" title="1C booked">',
  ]);
  const told = Array.from(text.matchAll(/<li( aria-current="true")?><p>(.*?)<\/p>/g), ([, at = "", words]) => [
    at,
    words,
  ]);
  expect(told).toStrictEqual([
    ["", "<strong>Seats 1A → 1B</strong>, by key “web shop”"],
    [' aria-current="true"', "<strong>Seats none → 1A</strong>, by key “web shop”"],
  ]);
  expect(text).toContain('<dt>account</dt><dd><a href="/accounts/acc_1">Acme</a></dd>');
});

test("a flight's page blocks seats, changes fares, and says who is on board", async () => {
  const cookie = await signIn();
  const load = [{ cabin: "economy", seats: 60, blocked: 1, booked: 12, held: 3, left: 44 }];
  const fares = [{ cabin: "economy", amount: 90_500, currency: "USD", seatsLeft: 44 }];
  const times = { from: "LEO", destinationId: "kepler-442b", departsAt: "2027-01-01T00:00:00Z", durationDays: 480 };
  const blocked = [{ seat: "22A", reason: "armrest" }];
  answers["GET /operator/flights/F%2F1"] = { id: "F/1", ...times, sale: "open", load, fares, blocked, seatMap: [] };
  answers["GET /operator/flights/F%2F1/money"] = { bookings: 2, paid: [{ currency: "USD", amount: 181_000 }] };
  for (const verb of ["block", "unblock", "fare"]) answers[`POST /operator/flights/F%2F1/${verb}`] = {};
  const { text } = await send("GET", "/flights/F%2F1", { cookie });
  for (const shown of ["USD 905.00", "USD 1,810.00", "armrest", "20 %"]) expect(text).toContain(shown);
  const form = { formToken: formTokenIn(text), back: "/flights/F%2F1" };
  const post = (verb: string, fields: object) =>
    send("POST", `/flights/F%2F1/${verb}`, { ...own(), cookie }, { ...form, ...fields });
  asked = [];
  await post("block", { seat: "22B", reason: "" });
  await post("unblock", { seat: "22A" });
  await post("fare", { cabin: "economy", sum: "1.00" });
  expect(asked.map(({ path, body }) => [path, body])).toStrictEqual([
    ["/operator/flights/F%2F1/block", '{"seat":"22B"}'],
    ["/operator/flights/F%2F1/unblock", '{"seat":"22A"}'],
    ["/operator/flights/F%2F1/fare", '{"cabin":"economy","sum":"1.00"}'],
  ]);
  const ada = { sequence: 7, seat: "14A", name: "Ada", cabin: "economy", passport: "ok", code: "ABC123" };
  answers["GET /operator/flights/F%2F1/manifest"] = { ...ada, status: "pending", bookingId: "bkg_1" };
  const manifest = (await send("GET", "/flights/F%2F1/manifest", { cookie })).text;
  expect(manifest).toContain('<a href="/bookings/bkg_1">bkg_1</a> <span class="status fair">pending</span>');
});

test("a person is found by e-mail address, and forgotten once that is typed", async () => {
  const cookie = await signIn();
  const booking = { kind: "booking", id: "bkg_1", passenger: 1, name: "Eve", status: "cancelled", accountId: "acc_1" };
  answers["GET /operator/persons"] = { data: [{ ...booking, createdAt: "2026-11-01T00:00:00Z" }] };
  answers["GET /operator/erasures"] = { data: [] };
  const left = { kind: "booking", id: "bkg_2", passenger: 0, status: "left", reason: "to come" };
  answers["POST /operator/persons/erase"] = { data: [{ ...booking, status: "erased", reason: null }, left] };
  const back = "/persons?email=eve%40example.com";
  const { text } = await send("GET", back, { cookie });
  expect(text).toContain('<a href="/bookings/bkg_1">booking, passenger 2</a>');
  const form = { formToken: formTokenIn(text), back, ...confirmedIn(text, "/persons/erase") };
  asked = [];
  const done = await send("POST", "/persons/erase", { ...own(), cookie }, form);
  expect([done.status, asked.map(({ body }) => body)]).toStrictEqual([303, ['{"email":"eve@example.com"}']]);
  const notice = decodeURIComponent(done.headers["set-cookie"]?.[0]?.split(";")[0]?.split("=")[1] ?? "");
  expect(notice).toBe("1 of 2 records are forgotten. bkg_2: to come");
});

test("reports are charts with the same in tables, by days that count as a whole, and CSV files", async () => {
  const cookie = await signIn();
  const paid = [{ currency: "USD", amount: 1_299_00 }];
  const none = { paid: [], refunded: [], delivered: 0, notDelivered: 0 };
  answers["GET /operator/clock"] = { now: "2026-11-23T08:00:00.000Z", offsetSeconds: 0 };
  answers["GET /operator/reports/loads"] = { data: [] };
  answers["GET /operator/reports/totals"] = {
    isAll: false,
    periods: [
      { ...none, period: "2026-11-01", bookings: 2, paid, refunded: [{ currency: "JPY", amount: 500 }] },
      { ...none, period: "2026-11-02", bookings: 1, paid },
    ],
  };
  asked = [];
  const { text } = await send("GET", "/reports?from=2026-11-01&to=2026-11-02", { cookie });
  const time = "from=2026-11-01T00%3A00%3A00.000Z&to=2026-11-03T00%3A00%3A00.000Z";
  expect(asked[1]?.path).toBe(`/operator/reports/totals?${time}&by=day`);
  expect(text).toContain("<strong>USD 2,598.00</strong> paid");
  expect(text).toContain("<strong>JPY 500</strong> paid back");
  expect(text).toContain("<title>2026-11-02: USD 1,299.00</title>");
  expect(text).toContain('<td data-name="paid"><div>USD 1,299.00</div></td>');
  expect(text).toContain("There is too much: not all of it is counted.");
  answers["GET /operator/reports/payments"] = { id: "pay_1", method: "=1+1" };
  expect(text).toContain(`/reports/payments.csv?${time.replaceAll("&", "&amp;")}`);
  const { headers, text: csv } = await send("GET", `/reports/payments.csv?${time}`, { cookie });
  expect([csv, headers["content-type"], headers["content-disposition"]]).toStrictEqual([
    "createdAt,id,bookingId,accountId,method,status,amount,currency\n,pay_1,,,'=1+1,,,\n",
    "text/csv; charset=utf-8",
    'attachment; filename="payments 2026-11-01 2026-11-03.csv"',
  ]);
  expect((await send("GET", `/reports/refunds.csv?${time}`, { cookie })).status).toBe(404);
  await send("GET", "/reports?from=yesterday&to=2026-11-02", { cookie });
  expect(asked.at(-2)?.path).toContain("from=yesterday");
});

test("a person is handed over in an archive, and nothing is where nobody is known", async () => {
  const cookie = await signIn();
  const path = "/persons/export?email=eve%40example.com";
  expect((await send("GET", path, { cookie })).status).toBe(404);
  const lines = [
    { title: "All" },
    { name: "bookings.jsonl", about: "places" },
    { record: { id: "bkg_1" } },
    { end: true },
  ];
  answers["GET /operator/persons/export"] = lines.map((line) => JSON.stringify(line)).join("\n");
  const { headers, text } = await send("GET", path, { cookie });
  expect([headers["content-type"], headers["content-disposition"]]).toStrictEqual([
    "application/x-tar",
    "attachment; filename=person.tar",
  ]);
  expect(text.length % 512).toBe(0);
  for (const part of ["bookings.jsonl", '{"id":"bkg_1"}', "1 lines of JSON", "index.txt"]) expect(text).toContain(part);
});

test("both ledgers are compared from the page", async () => {
  const cookie = await signIn();
  answers["POST /operator/payments/reconcile"] = {
    result: [{ difference: "not_here", paymentId: null, gatewayId: "ch_1", ours: null, theirs: { amount: 5 } }],
  };
  const { text } = await send("GET", "/money", { cookie });
  const form = { formToken: formTokenIn(text), back: "/money", since: "2026-11-01T12:00" };
  const compared = await send("POST", "/payments/reconcile", { ...own(), cookie }, form);
  expect(compared.text).toContain("not here");
  expect(asked.at(-1)?.body).toBe('{"since":"2026-11-01T12:00:00.000Z"}');
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

test("lists that customers may make very long are shown in part", async () => {
  const cookie = await signIn();
  const row = { id: "doc_1", fileName: "a.png", contentType: "image/png", kind: "passport", awaits: "operator" };
  const rows = Array.from({ length: 200 }, () => ({ ...row, uploadedAt: 0, bookingId: "bkg_1" }));
  answers["GET /operator/documents/rejected"] = { data: [] };
  const shown = async (length: number) => {
    answers["GET /operator/documents"] = { data: rows.slice(0, length) };
    return (await send("GET", "/documents", { cookie })).text.includes("The first 200.");
  };
  expect([await shown(199), await shown(200)]).toStrictEqual([false, true]);
  for (const page of ["/money", "/persons?email=a@b.example"]) await send("GET", page, { cookie });
  const inPart = asked.map(({ path }) => path).filter((path) => path.includes("most=200"));
  expect(new Set(inPart.map((path) => path.split("?")[0]))).toStrictEqual(
    new Set(["documents", "refunds", "transfers/expected", "disputes", "persons"].map((name) => `/operator/${name}`)),
  );
});

test("a stream is shown a page at a time, and where it stopped a projection up to there", async () => {
  const cookie = await signIn();
  const metadata = { actor: { kind: "operator", id: "op" }, requestId: null, causationId: null };
  const event = { revision: 7, position: "12", type: "SeatBlocked", at: "2026-11-23T08:00:00Z", data: {}, metadata };
  answers["GET /operator/streams/flight-F"] = event;
  const { text } = await send("GET", "/streams?name=flight-F&before=8&until=12", { cookie });
  expect(text).toContain('<a href="/streams?name=flight-F&amp;before=7">Earlier events</a>');
  const failed = { name: "bookings", state: "stopped", position: "7", lag: 1, error: "odd", skipped: [] };
  answers["GET /operator/projections"] = { data: [{ ...failed, failedAt: "flight-F@12" }] };
  const stopped = await send("GET", "/projections", { cookie });
  expect(stopped.text).toContain('<a href="/streams?name=flight-F&amp;until=12">flight-F@12</a>');
  expect(asked.map(({ path }) => path).filter((path) => path.includes("/streams/"))).toStrictEqual([
    "/operator/streams/flight-F?before=8&until=12",
    "/operator/streams/flight-F?until=12",
  ]);
});

test("what takes long ends with its browser", async () => {
  const cookie = await signIn();
  const formToken = formTokenIn((await send("GET", "/accounts", { cookie })).text);
  const { promise: begun, resolve: begin } = Promise.withResolvers<IncomingMessage>();
  const waiting = await listening(createServer(begin), []);
  interfaceUrl = waiting;
  const body = String(new URLSearchParams({ formToken, seconds: "60" }));
  const headers = { ...own(), cookie, "content-type": "application/x-www-form-urlencoded" };
  const browser = httpRequest(`${base}/clock`, { method: "POST", headers, agent: false }).end(body);
  browser.on("error", () => undefined);
  const advance = await begun;
  browser.destroy();
  await once(advance.socket, "close");
  expect([advance.method, advance.url]).toStrictEqual(["POST", "/operator/clock/advance"]);
});

describe("a flight", () => {
  const plan = {
    flightId: "F/1",
    revision: 2,
    bookings: [{ status: "confirmed", cabin: "economy", bookings: 3, passengers: 4 }],
    places: [],
    placeless: [],
    money: [{ currency: "USD", method: "bank_transfer", amount: 129_900 }],
    webhooks: 5,
  };
  const row = { id: "dis_1", flightId: "F/1", kind: "cancelled", policy: "refund", reason: null, revision: 3 };
  const cases = [{ id: "dcs_1", bookingId: "bkg_1", accountId: "acc_1", status: "resolved", outcome: "refunded" }];
  const swept = {
    ...{ ...row, status: "running", bookings: 4, stuck: ["bkg_9"], createdAt: "2026-11-23T08:00:00.000Z" },
    reinstatedAt: null,
    ...{ followed: 1, open: 0, money: [{ currency: "USD", amount: 500 }] },
    cases: cases.map((one) => ({ ...one, after: null, refundAmount: 500, currency: "USD" })),
  };

  test("is planned without a change, and the plan is run as it was shown", async () => {
    answers = {
      "GET /operator/disruptions": { data: [{ ...row, status: "ended", bookings: 4, stuck: [], createdAt: 0 }] },
      "POST /operator/flights/F%2F1/cancel": plan,
    };
    const cookie = await signIn();
    const { text } = await send("GET", "/flights?flight=F%2F1&decision=cancel&reason=drive", { cookie });
    for (const part of ["confirmed", "1,299.00 by bank transfer", "cancelled", 'name="revision" value="2"']) {
      expect(text).toContain(part);
    }
    expect(asked.map(({ method, path, body, key }) => [method, path, body, key])).toContainEqual([
      "POST",
      "/operator/flights/F%2F1/cancel",
      "{}",
      undefined,
    ]);
    asked = [];
    answers["POST /operator/flights/F%2F1/cancel"] = swept;
    const asks = confirmedIn(text, "/flights/F%2F1/cancel");
    const form = { formToken: formTokenIn(text), back: "/flights", revision: "2", reason: "drive", ...asks };
    const done = await send("POST", "/flights/F%2F1/cancel", { ...own(), cookie }, form);
    expect(done.text).toContain('href="/disruptions/dis_1"');
    expect(asked.map(({ body }) => JSON.parse(body))).toStrictEqual([{ run: 2, reason: "drive" }]);
  });

  test("moves its bookings to others: planned, with who would find no room, and run so", async () => {
    const places = [{ flightId: "F2", cabin: "economy", bookings: 2, passengers: 3 }];
    answers = {
      "GET /operator/disruptions": { data: [] },
      "POST /operator/flights/F1/cancel": { ...plan, places, placeless: ["bkg_7"] },
    };
    const cookie = await signIn();
    const { text } = await send("GET", "/flights?flight=F1&decision=cancel&policy=move&into=F2,F3", { cookie });
    for (const part of ['href="/flights/F2"', "bkg_7", 'name="into" value="F2,F3"']) expect(text).toContain(part);
    const body = { policy: "move", into: ["F2", "F3"] };
    expect(asked.filter(({ method }) => method === "POST").map((each) => JSON.parse(each.body))).toStrictEqual([body]);
    asked = [];
    answers["POST /operator/flights/F1/cancel"] = swept;
    const sent = { revision: "2", policy: "move", into: "F2,F3", ...confirmedIn(text, "/flights/F1/cancel") };
    const form = { formToken: formTokenIn(text), back: "/flights", ...sent };
    await send("POST", "/flights/F1/cancel", { ...own(), cookie }, form);
    expect(asked.map((each) => JSON.parse(each.body))).toStrictEqual([{ run: 2, ...body }]);
  });

  test("is given another departure: planned and run with the same times", async () => {
    answers = {
      "GET /operator/disruptions": { data: [] },
      "POST /operator/flights/F1/retime": { ...plan, significant: 3, passports: 1 },
    };
    const cookie = await signIn();
    const times = { departsAt: "2027-03-01T09:00:00Z", durationDays: 0.5 };
    const query = new URLSearchParams({
      flight: "F1",
      decision: "retime",
      departsAt: times.departsAt,
      durationDays: "0.5",
    });
    const { text } = await send("GET", `/flights?${query}`, { cookie });
    expect(asked.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body))).toStrictEqual([times]);
    for (const part of ["significant", 'name="departsAt" value="2027-03-01T09:00:00Z"']) expect(text).toContain(part);
    asked = [];
    answers["POST /operator/flights/F1/retime"] = swept;
    const sent = { revision: "2", departsAt: times.departsAt, durationDays: "0.5" };
    const form = { formToken: formTokenIn(text), back: "/flights", ...sent };
    const done = await send("POST", "/flights/F1/retime", { ...own(), cookie }, form);
    expect(done.text).toContain("The flight is retimed");
    expect(asked.map(({ body }) => JSON.parse(body))).toStrictEqual([{ run: 2, ...times }]);
  });

  test("goes with another ship: planned and run with the same cabins", async () => {
    answers = {
      "GET /operator/disruptions": { data: [] },
      "POST /operator/flights/F1/swap": { ...plan, reseated: 4, unplaced: 1 },
    };
    const cookie = await signIn();
    const before = await send("GET", "/flights", { cookie });
    const ship = '{"cabins":[]}';
    const form = { formToken: formTokenIn(before.text), back: "/flights", flight: "F1", reason: "smaller", ship };
    const { text } = await send("POST", "/flights/swap", { ...own(), cookie }, form);
    for (const part of ["bookings with other seats", "bookings without a place", 'name="ship"'])
      expect(text).toContain(part);
    answers["POST /operator/flights/F1/swap"] = swept;
    const run = { formToken: formTokenIn(text), back: "/flights", revision: "2", reason: "smaller", ship };
    const done = await send("POST", "/flights/F1/swap", { ...own(), cookie }, run);
    expect(done.text).toContain("The flight goes with another ship");
    expect(asked.filter(({ method }) => method === "POST").map(({ body }) => JSON.parse(body))).toStrictEqual([
      { cabins: [] },
      { cabins: [], run: 2, reason: "smaller" },
    ]);
    const wrong = await send("POST", "/flights/swap", { ...own(), cookie }, { ...form, ship: "{" });
    expect(wrong.text).toContain("is no JSON");
  });

  test.each(["", " ", "x", "-1", "1.5"])("is not decided on as of the revision %j", async (revision) => {
    answers["POST /operator/flights/F1/close-sales"] = plan;
    const cookie = await signIn();
    const { text: before } = await send("GET", "/flights?flight=F1&decision=close-sales", { cookie });
    asked = [];
    const back = "/flights";
    const form = { formToken: formTokenIn(before), back, revision };
    const { status, text } = await send("POST", "/flights/F1/close-sales", { ...own(), cookie }, form);
    expect([status, asked.filter(({ method }) => method === "POST")]).toStrictEqual([409, []]);
    expect(text).toContain("revision must be a whole number");
  });

  test("that is cancelled shows how far it has got, who is stuck and what goes back", async () => {
    const refund = {
      id: "rfd_7",
      bookingId: "bkg_1",
      amount: 700,
      currency: "USD",
      status: "failed",
      failureReason: "closed",
    };
    answers = {
      "GET /operator/disruptions/dis_1": swept,
      "GET /operator/refunds": { data: [{ ...refund, createdAt: "2026-11-23T08:00:00.000Z" }] },
      "POST /operator/disruptions/dis_1/pause": swept,
    };
    const cookie = await signIn();
    const { text } = await send("GET", "/disruptions/dis_1", { cookie });
    for (const part of [
      '<progress max="4" value="1"',
      "1 of 4 bookings",
      "/bookings/bkg_9",
      "5.00",
      "refunded",
      "rfd_7",
      "closed",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).not.toContain("operators verified");
    const [one] = swept.cases;
    const retimed = { ...swept, kind: "retimed", policy: null, cases: [{ ...one, documentsByOperator: 2 }] };
    answers["GET /operator/disruptions/dis_1"] = retimed;
    const later = (await send("GET", "/disruptions/dis_1", { cookie })).text;
    expect(later).toContain('<td data-name="documents that operators verified"><div>2</div>');
    const form = { formToken: formTokenIn(text), back: "/disruptions/dis_1" };
    expect((await send("POST", "/disruptions/dis_1/pause", { ...own(), cookie }, form)).status).toBe(303);
  });
});
