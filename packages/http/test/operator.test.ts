import { once } from "node:events";
import { type IncomingMessage, request, type Server } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { Readable } from "node:stream";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ClientAddressResolver } from "@travel-booking/http";
import {
  createOperatorApp,
  type OperatorAppOptions,
  OperatorCommands,
  OperatorError,
  type OperatorRequest,
  type OperatorRoute,
  operatorRoute,
  WrongTokens,
} from "@travel-booking/http/operator";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";

import { sendRaw } from "./support/raw.ts";

const TOKEN = "a token of the operator's";

class StoreUnavailable extends Error {}

const ends = (path: string, error: Error): OperatorRoute =>
  operatorRoute("GET", `/operator/${path}`, () => Promise.reject(error));

let server: Server;
let failures: unknown[];
let warnings: unknown[];
let now: number;
beforeEach(async () => {
  failures = [];
  warnings = [];
  now = Date.parse("2026-11-23T08:00:30Z");
  renders = 0;
  state = new InMemoryStateStore();
  server = await listening({ metricsAllow: ["127.0.0.1"] });
});

let renders: number;
let state: InMemoryStateStore;
let make: (request: OperatorRequest) => Promise<unknown>;

const commandIds = sequentialCommandIds();
function operationsOf(routes: readonly OperatorRoute[]) {
  const ofService = { state, clock: new ManualClock(now), commandIds, holder: null };
  return { routes, commands: new OperatorCommands({ ...ofService, secretKey: "a secret of the service's" }) };
}

/** The operator interface at a free port. */
async function listening(options: Partial<OperatorAppOptions>): Promise<Server> {
  const app = createOperatorApp({
    token: TOKEN,
    wrongTokens: new WrongTokens({
      addresses: new ClientAddressResolver([]),
      logger: { warn: (...line: unknown[]) => void warnings.push(line) },
      now: () => now,
    }),
    operations: operationsOf([
      ends("away", new StoreUnavailable("x")),
      ends("refused", new OperatorError(409, "no")),
      ends("broken", new Error("y")),
      operatorRoute("GET", "/operator/who", async ({ operator, query }) => ({ operator, query })),
      operatorRoute("POST", "/operator/made/:id", (request) => make(request), 201),
    ]),
    onError: (error) => failures.push(error),
    unavailableReason: (error) => (error instanceof StoreUnavailable ? "the store is out of reach" : undefined),
    metrics: {
      async render() {
        renders += 1;
        return { contentType: "text/plain; version=0.0.4; charset=utf-8", text: `renders ${renders}\n` };
      },
    },
    health: {},
    metricsAllow: [],
    ...options,
  });
  const opened = app.listen(0, "127.0.0.1");
  await once(opened, "listening");
  return opened;
}

afterEach(() => {
  server.close();
});

async function get(path: string, token = TOKEN) {
  const { port } = server.address() as AddressInfo;
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`http://127.0.0.1:${port}/operator/${path}`, { headers });
  return { status: response.status, body: (await response.json()) as { readonly message: string | readonly string[] } };
}

test("an unavailable dependency is named in the response, and logged", async () => {
  expect(await get("away")).toMatchObject({ status: 503, body: { message: "the store is out of reach" } });
  expect(failures).toHaveLength(1);
});

test("a refusal is not logged; the response to a fault only names the line of the log", async () => {
  expect(await get("refused")).toMatchObject({ status: 409, body: { message: ["no"] } });
  expect(failures).toStrictEqual([]);
  const { status, body } = await get("broken");
  expect(status).toBe(500);
  expect(body.message).toMatch(/^something went wrong; the log has request [0-9a-f-]{36}$/);
});

describe("who gives a command", () => {
  const named = (header: Readonly<Record<string, string>>) => {
    const { port } = server.address() as AddressInfo;
    const headers = { authorization: `Bearer ${TOKEN}`, ...header };
    return fetch(`http://127.0.0.1:${port}/operator/who?a=1&b=2&b=3`, { headers });
  };

  test.each([
    [{}, "operator"],
    [{ "operator-name": "Grace%20Hopper" }, "Grace Hopper"],
    [{ "operator-name": encodeURIComponent("李小龍") }, "李小龍"],
  ])("%j", async (header, operator) => {
    expect(await (await named(header)).json()).toStrictEqual({ operator, query: { a: "1", b: "2" } });
  });

  test.each(["%20", "%", "x".repeat(61), "a%0Ab", "%E2%80%AE"])("is no name: %j", async (name) => {
    expect((await named({ "operator-name": name })).status).toBe(400);
  });
});

describe("a command with an Idempotency-Key", () => {
  const SECRET = "tbs_live_secret";
  let ran: Pick<OperatorRequest["command"], "commandId" | "repeated">[];

  beforeEach(() => {
    ran = [];
    make = async ({ params, command: { commandId, repeated } }) => {
      ran.push({ commandId, repeated });
      return { id: params.id, number: ran.length, secret: SECRET };
    };
  });

  async function send(id: string, key?: string, body: object = {}, signal?: AbortSignal) {
    const { port } = server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/operator/made/${id}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        ...(key !== undefined && { "idempotency-key": key }),
      },
      body: JSON.stringify(body),
      ...(signal && { signal }),
    });
    return [response.status, await response.json(), response.headers.get("idempotent-replayed")] as const;
  }
  const answered = (number: number) => ({ id: "a", number, secret: SECRET });

  test("is carried out once, also by the next process; without one, or with another, it is another command", async () => {
    expect(await send("a", "k")).toStrictEqual([201, answered(1), null]);
    expect(await send("a", "k")).toStrictEqual([201, answered(1), "true"]);
    server.close();
    server = await listening({});
    expect(await send("a", "k")).toStrictEqual([201, answered(1), "true"]);
    expect(await send("a")).toStrictEqual([201, answered(2), null]);
    expect(await send("a", "another")).toStrictEqual([201, answered(3), null]);
    expect(new Set(ran.map(({ commandId }) => commandId)).size).toBe(3);
  });

  test("waits for the same one that is under way, though its client has gone", async () => {
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const once = make;
    make = async (request) => {
      const { closed } = request;
      begin();
      await ended;
      return [await once(request), closed.aborted];
    };
    const leaves = new AbortController();
    const first = send("a", "k", {}, leaves.signal).catch((error: Error) => error.name);
    await begun;
    leaves.abort();
    expect(await first).toBe("AbortError");
    const second = send("a", "k");
    end();
    expect(await second).toStrictEqual([201, [answered(1), false], "true"]);
    expect(ran).toHaveLength(1);
  });

  test("of another body or path is refused, and so is what can be no key", async () => {
    await send("a", "k");
    expect((await send("a", "k", { more: 1 }))[0]).toBe(422);
    expect((await send("b", "k"))[0]).toBe(422);
    expect((await send("a", "x".repeat(256)))[0]).toBe(400);
    expect(ran).toHaveLength(1);
  });

  test("that failed runs as the same command again; a refusal is kept, but not that of a bad request", async () => {
    const once = make;
    const failing = (error: Error) => async (request: OperatorRequest) => {
      await once(request);
      throw error;
    };
    make = failing(new Error("y"));
    expect((await send("a", "k"))[0]).toBe(500);
    make = once;
    expect(await send("a", "k")).toStrictEqual([201, answered(2), null]);
    expect(ran).toStrictEqual([
      { commandId: ran[0]?.commandId, repeated: false },
      { commandId: ran[0]?.commandId, repeated: true },
    ]);
    for (const status of [409, 400] as const) {
      make = failing(new OperatorError(status, "no"));
      expect((await send("a", `refused ${status}`))[0]).toBe(status);
    }
    make = once;
    expect((await send("a", "refused 409"))[0]).toBe(409);
    expect((await send("a", "refused 400"))[0]).toBe(201);
  });

  test("keeps its answer so that nobody reads it without the key", async () => {
    await send("a", "k");
    const kept = JSON.stringify(await state.list("idempotency", { limit: 10 }));
    expect(kept).toContain("/operator/made/:id");
    for (const word of [SECRET, "secret", '"k"']) expect(kept).not.toContain(word);
  });
});

test("without the token every request is refused", async () => {
  expect((await get("refused", "another")).status).toBe(401);
});

test("after ten wrong tokens of an address in a minute none is tried until the next one", async () => {
  for (let guess = 0; guess < 10; guess += 1) expect((await get("refused", `guess ${guess}`)).status).toBe(401);
  expect(warnings).toStrictEqual(
    new Array(10).fill([{ address: "127.0.0.1" }, "a request to the operator interface had a wrong token"]),
  );
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/operator/who`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect([response.status, response.headers.get("retry-after"), await response.json()]).toStrictEqual([
    429,
    "30",
    { statusCode: 429, message: "too many wrong tokens came from your address", error: "Too Many Requests" },
  ]);
  // What has no token guesses none.
  expect((await fetch(`http://127.0.0.1:${port}/operator/who`)).status).toBe(401);
  expect((await fetch(`http://127.0.0.1:${port}/metrics`)).status).toBe(200);
  expect(warnings).toHaveLength(10);
  now += 30_000;
  expect((await get("who")).status).toBe(200);
});

test("a stale token that a program sends again and again is one guess", async () => {
  for (let time = 0; time < 30; time += 1) expect((await get("who", "a stale one")).status).toBe(401);
  expect(warnings).toHaveLength(1);
  expect((await get("who")).status).toBe(200);
});

test.each([
  ["Operator-Name: Ada\r\nOperator-Name: Bob\r\n", "operator-name is given more than once"],
  ["Authorization: Bearer x\r\n", "authorization is given more than once"],
])("what may be there once is refused twice: %j", async (more, problem) => {
  const { port } = server.address() as AddressInfo;
  const head = `GET /operator/who HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer ${TOKEN}\r\n`;
  const answer = await sendRaw(port, `${head}${more}\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(JSON.parse(answer.split("\r\n\r\n")[1] ?? "").message).toStrictEqual([problem]);
});

test("no answer may be kept, or taken for another type", async () => {
  const guarded = await listening({
    page: (request, response, next) => (request.path === "/" ? void response.end("a page") : next()),
    metricsAllow: ["127.0.0.1"],
    operations: operationsOf([
      ends("away", new StoreUnavailable("x")),
      ends("refused", new OperatorError(409, "no")),
      ends("broken", new Error("y")),
      operatorRoute("POST", "/operator/it", async () => ({}), 201),
      { method: "GET", path: "/operator/lines", lines: async () => Readable.from([1, 2]) },
    ]),
  });
  const authorization = `Bearer ${TOKEN}`;
  const ask = async (path: string, headers: Record<string, string> = { authorization }, body?: string) => {
    const { port } = guarded.address() as AddressInfo;
    const init = body === undefined ? { headers } : { method: "POST", headers, body };
    const { status, headers: got } = await fetch(`http://127.0.0.1:${port}${path}`, init);
    expect([got.get("cache-control"), got.get("x-content-type-options")]).toStrictEqual(["no-store", "nosniff"]);
    return status;
  };
  expect([
    await ask("/", {}),
    await ask("/metrics"),
    await ask("/metrics", {}),
    await ask("/operator/lines"),
    await ask("/operator/it", { authorization, "content-type": "application/json" }, "{}"),
    await ask("/operator/it", { authorization, "content-type": "application/json" }, "{"),
    await ask("/operator/it", {}, "{}"),
    await ask("/operator/nothing"),
    await ask("/operator/refused"),
    await ask("/operator/broken"),
    await ask("/operator/away"),
  ]).toStrictEqual([200, 200, 200, 200, 201, 400, 401, 404, 409, 500, 503]);
  guarded.close();
});

test("lines are made as fast as the client reads them, and no more once it has gone", async () => {
  let made = 0;
  const ended = Promise.withResolvers<void>();
  async function* lines() {
    try {
      for (; made < 1_000; made += 1) yield "x".repeat(65_536);
    } finally {
      ended.resolve();
    }
  }
  const operations = operationsOf([{ method: "GET", path: "/operator/lines", lines: async () => lines() }]);
  const serving = await listening({ operations });
  const { port } = serving.address() as AddressInfo;
  const client = request({ port, path: "/operator/lines", headers: { authorization: `Bearer ${TOKEN}` } });
  const [response] = (await once(client.end(), "response")) as [IncomingMessage];
  await once(response, "readable");
  client.destroy();
  await ended.promise;
  expect(made).toBeLessThan(500);
  expect(failures).toStrictEqual([]);
  serving.close();
});

test("a page is for browsers alone: programs, the interface and what monitoring reads pass it by", async () => {
  const paged = await listening({
    page: (_request, response) => void response.end("a page"),
    metricsAllow: ["127.0.0.1"],
  });
  const ask = async (path: string, headers = {}) => {
    const { port } = paged.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    return [response.status, await response.text()];
  };
  try {
    expect(await ask("/")).toStrictEqual([200, "a page"]);
    expect(await ask("/operators")).toStrictEqual([200, "a page"]);
    expect((await ask("/operator/refused"))[0]).toBe(401);
    expect((await ask("/metrics"))[1]).toMatch(/^renders/);
    expect((await ask("/health/ready"))[1]).toMatch(/^{"missing"/);
    expect((await ask("/", { authorization: `Bearer ${TOKEN}` }))[0]).toBe(404);
  } finally {
    paged.close();
  }
});

test("/health/ready names what is missing and tells details, to whom /metrics answers", async () => {
  let isThere: boolean | string = true;
  const health = {
    readiness: { store: { "the log": () => isThere }, starting: { models: () => Promise.reject(new Error("away")) } },
    readinessDetails: { payments: async () => "2 differences", none: async () => undefined },
  };
  const details = { payments: "2 differences" };
  const allowed = await listening({ metricsAllow: ["127.0.0.1"], health });
  const elsewhere = await listening({ metricsAllow: ["192.0.2.0/24"], health: {} });
  const ask = async (asked: Server, headers = {}) => {
    const url = `http://127.0.0.1:${(asked.address() as AddressInfo).port}/health/ready`;
    const response = await fetch(url, { headers });
    return [response.status, await response.json()];
  };
  try {
    expect(await ask(allowed)).toStrictEqual([503, { missing: ["models is not ready"], details }]);
    isThere = "the log lacks event 7";
    health.readiness.starting.models = async () => true as never;
    expect(await ask(allowed)).toStrictEqual([503, { missing: ["the log lacks event 7"], details }]);
    isThere = true;
    expect(await ask(allowed)).toStrictEqual([200, { missing: [], details }]);
    expect((await ask(elsewhere))[0]).toBe(401);
    expect(await ask(elsewhere, { authorization: `Bearer ${TOKEN}` })).toStrictEqual([
      200,
      { missing: [], details: {} },
    ]);
  } finally {
    allowed.close();
    elsewhere.close();
  }
});

describe("/metrics", () => {
  const urlOf = (asked: Server) => `http://127.0.0.1:${(asked.address() as AddressInfo).port}/metrics`;

  test("needs no token from an address of METRICS_ALLOW", async () => {
    const response = await fetch(urlOf(server));
    expect([response.status, response.headers.get("content-type"), await response.text()]).toStrictEqual([
      200,
      "text/plain; version=0.0.4; charset=utf-8",
      "renders 1\n",
    ]);
    expect((await fetch(urlOf(server).replace("/metrics", "/operator/refused"))).status).toBe(401);
  });

  test("is rendered once for all who ask within a second", async () => {
    const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
    let received = "";
    socket.setEncoding("utf8").on("data", (text) => {
      received += text;
    });
    // 25 kB, as one segment.
    socket.end(`${"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n".repeat(700)}GET /metrics HTTP/1.0\r\n\r\n`);
    await once(socket, "close");
    expect(received.match(/^HTTP\/1\.1 200 OK\r$/gm)).toHaveLength(701);
    expect(renders).toBeLessThan(10);
  });

  test("needs the token from any other address, whatever its headers say", async () => {
    const elsewhere = await listening({ metricsAllow: ["192.0.2.0/24"] });
    const ask = async (headers: Readonly<Record<string, string>>) =>
      (await fetch(urlOf(elsewhere), { headers })).status;
    try {
      expect(await ask({})).toBe(401);
      expect(await ask({ "x-forwarded-for": "192.0.2.1" })).toBe(401);
      expect(await ask({ authorization: `Bearer ${TOKEN}` })).toBe(200);
    } finally {
      elsewhere.close();
    }
  });

  test.each([
    ["127.0.0.1:3001", 200],
    ["[::1]:3001", 200],
    ["LOCALHOST:3001", 200],
    ["command-service", 200],
    ["rebound.example.com:3001", 401],
    ["127.0.0.1.example.com", 401],
    ["localhost.", 401],
    ["a b", 401],
  ])("is not for a browser that takes this address for %j", async (host, status) => {
    const ask = async (authorization: string) => {
      const { port } = server.address() as AddressInfo;
      const asked = request({ port, host: "127.0.0.1", path: "/metrics", headers: { host, authorization } }).end();
      const [response] = (await once(asked, "response")) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    expect(await ask("none")).toBe(status);
    expect(await ask(`Bearer ${TOKEN}`)).toBe(200);
  });

  test("is for a reader on another machine under any name", async () => {
    const elsewhere = await listening({ metricsAllow: ["192.0.2.0/24"] });
    elsewhere.on("connection", (socket) => Object.defineProperty(socket, "remoteAddress", { value: "192.0.2.1" }));
    const asked = request(urlOf(elsewhere), { headers: { host: "service.namespace.svc:3001" } }).end();
    const [response] = (await once(asked, "response")) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(200);
    elsewhere.close();
  });

  test("of a service without a token is read by address alone", async () => {
    const tokenless = await listening({ token: undefined, metricsAllow: ["127.0.0.0/8"] });
    try {
      expect((await fetch(urlOf(tokenless))).status).toBe(200);
      const headers = { authorization: "Bearer undefined" };
      expect((await fetch(urlOf(tokenless).replace("/metrics", "/operator/refused"), { headers })).status).toBe(401);
    } finally {
      tokenless.close();
    }
  });
});
