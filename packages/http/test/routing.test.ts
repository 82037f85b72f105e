import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import { errorResponse } from "@travel-booking/http";
import { sendRaw } from "./support/raw.ts";
import { type Service, type ServiceOptions, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service.stop());

test("an unknown path is 404, with and without a credential", async () => {
  service = await startService({ perMinute: 60 });
  const body = { statusCode: 404, message: "There is nothing at this path.", error: "Not Found" };
  for (const path of ["/", "/v1/nothing", "/v1/things/1/", "/v1/Things/1", "//v1/things", "/v1/things/1/x?y"]) {
    const anonymous = await service.send("GET", path, { anonymous: true });
    expect([anonymous.status, anonymous.body, anonymous.headers.get("x-ratelimit-limit")]).toStrictEqual([
      404,
      body,
      null,
    ]);
  }
  const known = await service.get("/v1/nothing");
  expect([known.status, known.body, known.headers.get("x-ratelimit-remaining")]).toStrictEqual([404, body, "59"]);
  const invalid = await service.get("/v1/nothing", { "x-api-key": "wrong" });
  expect(invalid.status).toBe(401);
});

test.each([
  ["PUT", "/v1/things/1", "DELETE, GET, HEAD, PATCH"],
  ["DELETE", "/v1/things", "GET, HEAD, POST"],
  ["OPTIONS", "/v1/things/1/cancel", "POST"],
  ["GET", "/v1/oauth/token", "POST"],
  ["POST", "/health/live", "GET, HEAD"],
])("%s %s is 405 with Allow", async (method, path, allow) => {
  service = await startService();
  const answer = await service.send(method, path, { anonymous: true });
  expect([answer.status, answer.headers.get("allow")]).toStrictEqual([405, allow]);
  expect(answer.body.statusCode).toBe(answer.status);
});

test.each([
  ["GET http://[::1/v1/nothing", 404, "There is nothing at this path."],
  ["GET http://", 404, "There is nothing at this path."],
  ["POST http://[", 405, "POST is not possible here."],
  ["POST http://elsewhere/v1/things/1", 405, "POST is not possible here."],
])("%s is answered like a path: %i", async (line, status, message) => {
  service = await startService();
  const received = await sendRaw(service.port, `${line} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  const [head = "", body = ""] = received.split("\r\n\r\n");
  expect([head.split(" ")[1], JSON.parse(body).message]).toStrictEqual([String(status), message]);
  expect(head).toMatch(/\r\nX-Request-Id: /);
  expect(head).toMatch(/\r\nCache-Control: no-store/);
});

test("a long path, or a token of many parts, is not taken apart to its end", async () => {
  service = await startService();
  let parts = 0;
  const split = String.prototype.split;
  const spy = jest.spyOn(String.prototype, "split").mockImplementation(function (this: string, ...args: unknown[]) {
    const found = Reflect.apply(split, this, args) as string[];
    parts += found.length;
    return found;
  });
  const path = await service.send("GET", `/v1/things${"/".repeat(15_000)}`, { anonymous: true });
  const token = await service.get("/v1/things/1", { authorization: `Bearer ${".".repeat(15_000)}` });
  spy.mockRestore();
  expect([path.status, token.status]).toStrictEqual([404, 401]);
  expect(parts).toBeLessThan(2_000);
});

test("an operation of another service is not found here", async () => {
  service = await startService();
  expect((await service.send("PATCH", "/v1/things/1", { body: {} })).status).toBe(404);
});

test("a route with a parameter does not swallow a more specific path", async () => {
  service = await startService({ handlers: { searchThings: () => ({ status: 200, json: '"search"' }) } });
  expect((await service.get("/v1/things/search")).body).toBe("search");
});

test("HEAD is answered like GET, without the body", async () => {
  service = await startService({ handlers: { getThing: () => ({ status: 200, json: Buffer.from('{"a":"ä"}') }) } });
  const get = await service.get("/v1/things/1");
  const head = await service.send("HEAD", "/v1/things/1");
  expect(get.body).toStrictEqual({ a: "ä" });
  expect([head.status, head.text, head.headers.get("content-length")]).toStrictEqual([200, "", "10"]);
  expect((await service.send("HEAD", "/v1/things/1/cancel")).status).toBe(405);
});

test("a well-formed request id is kept, another one replaced", async () => {
  service = await startService();
  const idOf = async (sent: string) =>
    (await service.get("/v1/things/1", { "x-request-id": sent })).headers.get("x-request-id");
  expect(await idOf("abc.DEF_1-2")).toBe("abc.DEF_1-2");
  for (const odd of ["a b", "", "a".repeat(129), "<x>"]) expect(await idOf(odd)).toMatch(/^[0-9a-f-]{36}$/);
});

test("a failure reveals nothing and is logged under the request's id", async () => {
  const logged: object[] = [];
  const logger = { error: (fields: object) => logged.push(fields), isLevelEnabled: () => false } as never;
  const boom = new Error("secret table missing");
  service = await startService({
    logger,
    handlers: {
      getThing: () => {
        throw boom;
      },
      makeThing: () => Promise.reject(boom),
    },
  });
  const body = { statusCode: 500, message: "The service failed; try again later.", error: "Internal Server Error" };
  const got = await service.get("/v1/things/1", { "x-request-id": "r1" });
  const made = await service.post("/v1/things", { name: "a" }, { "x-request-id": "r2" });
  expect([got.status, got.body, got.headers.get("x-request-id")]).toStrictEqual([500, body, "r1"]);
  // Nobody knows whether a command that failed so has done anything.
  const message =
    "It is not known yet whether the request was carried out; try again later, with the same Idempotency-Key.";
  expect([made.status, made.body]).toStrictEqual([500, { ...body, message }]);
  expect([got.headers.get("retry-after"), made.headers.get("retry-after")]).toStrictEqual([null, "5"]);
  expect(logged).toStrictEqual([
    { err: boom, requestId: "r1", operation: "getThing" },
    { err: boom, requestId: "r2", operation: "makeThing" },
  ]);
});

test("the log names no person that a client looks for, in the query or where an id belongs", async () => {
  const paths: unknown[] = [];
  const debug = ({ path }: { readonly path?: string }) => paths.push(path);
  service = await startService({ logger: { debug, isLevelEnabled: () => true } as never });
  await service.get("/v1/things/1?colour=ada@example.com");
  await service.get("/v1/things/ada@example.com");
  await service.get("/v1/things/ada%40example.com");
  await service.get("/v1/things/Zo%C3%AB");
  expect(paths).toStrictEqual(["/v1/things/1", "/v1/things/…", "/v1/things/…", "/v1/things/…"]);
});

test("an error that the app maps gets the mapped response", async () => {
  service = await startService({
    mapError: (error) =>
      error instanceof RangeError ? errorResponse(503, "out_of_reach", "away", { "Retry-After": "3" }) : undefined,
    handlers: { getThing: () => Promise.reject(new RangeError()) },
  });
  const answer = await service.get("/v1/things/1");
  expect([answer.status, answer.headers.get("retry-after")]).toStrictEqual([503, "3"]);
});

test("errors of plain routes and of the credential check without a route are mapped too", async () => {
  const fail = () => Promise.reject(new RangeError());
  service = await startService({
    mapError: (error) => (error instanceof RangeError ? errorResponse(503, "out_of_reach", "away") : undefined),
    plainRoutes: [{ method: "POST", path: "/internal/:id", handler: fail }],
    authenticator: { authenticate: fail },
  });
  for (const [method, path] of [
    ["POST", "/internal/1"],
    ["GET", "/v1/nothing"],
    ["PUT", "/v1/things/1"],
  ] as const) {
    expect((await service.send(method, path)).status).toBe(503);
  }
});

test("a response has no unnecessary headers", async () => {
  service = await startService({
    handlers: {
      getThing: () => ({ status: 200, json: "<x/>", headers: { "Content-Type": "text/xml", "X-Own": "1" } }),
    },
  });
  const answer = await service.get("/v1/things/1");
  const names = [...answer.headers.keys()].sort();
  expect(names).toStrictEqual([
    "cache-control",
    "connection",
    "content-length",
    "content-type",
    "date",
    "keep-alive",
    "service-version",
    "x-content-type-options",
    "x-own",
    "x-request-id",
  ]);
  expect([answer.headers.get("content-type"), answer.text]).toStrictEqual(["text/xml", "<x/>"]);
});

test("no response may be kept or taken for another type, unless its handler says so", async () => {
  const own = { status: 304, json: null, headers: { ETag: '"1"', "Cache-Control": "private, no-cache" } };
  service = await startService({ handlers: { getThing: () => own } });
  const guards = async (path: string, headers?: Record<string, string>) => {
    const answer = await service.get(path, headers);
    return [answer.status, ...["cache-control", "x-content-type-options"].map((name) => answer.headers.get(name))];
  };
  expect(await guards("/v1/things")).toStrictEqual([200, "no-store", "nosniff"]);
  expect(await guards("/v1/things/1")).toStrictEqual([304, "private, no-cache", "nosniff"]);
  expect(await guards("/v1/things", { "x-api-key": "wrong" })).toStrictEqual([401, "no-store", "nosniff"]);
  expect(await guards("/health/live")).toStrictEqual([200, "no-store", "nosniff"]);
  const [head] = (await sendRaw(service.port, "NONSENSE\r\n\r\n")).split("\r\n\r\n");
  expect(head).toMatch(/^X-Content-Type-Options: nosniff\r$/m);
  expect(head).toMatch(/^Cache-Control: no-store\r$/m);
});

test("an empty response has no body and no type", async () => {
  service = await startService({ handlers: { dropThing: () => ({ status: 204, json: null }) } });
  const answer = await service.send("DELETE", "/v1/things/1");
  expect([answer.status, answer.text, answer.headers.get("content-type")]).toStrictEqual([204, "", null]);
});

test("an operation without a scope needs no credential", async () => {
  service = await startService({ perMinute: 5 });
  const answer = await service.send("GET", "/v1/openapi.json", { anonymous: true });
  expect([answer.status, answer.body.caller]).toStrictEqual([200, null]);
});

/** Three requests that are worked on until `open`. */
async function threeInFlight(inFlight: NonNullable<ServiceOptions["inFlight"]>) {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  let waiting = 0;
  service = await startService({
    inFlight,
    handlers: {
      getThing: async () => {
        waiting += 1;
        if (waiting === 3) isFull();
        await gate;
        return { status: 200, json: "{}" };
      },
    },
  });
  const running = [1, 2, 3].map((id) => service.get(`/v1/things/${id}`));
  await full;
  return { running, open };
}

test("requests are refused at once where there are too many and the first has waited for too long, those of another service are not", async () => {
  const { running, open } = await threeInFlight({ alwaysTaken: 3, maxWaitMs: 0 });
  const refused = await service.get("/v1/things/4");
  expect([refused.status, refused.headers.get("retry-after"), refused.body.error]).toStrictEqual([
    503,
    "1",
    "Service Unavailable",
  ]);
  expect((await service.post("/v1/things", { name: "a" })).status).toBe(200);
  open();
  expect((await Promise.all(running)).map(({ status }) => status)).toStrictEqual([200, 200, 200]);
  expect((await service.get("/v1/things/5")).status).toBe(200);
});

test("more are taken as long as the first of them has not waited for too long", async () => {
  const { running, open } = await threeInFlight({ alwaysTaken: 1, maxWaitMs: Number.POSITIVE_INFINITY });
  open();
  expect((await Promise.all(running)).map(({ status }) => status)).toStrictEqual([200, 200, 200]);
});

test("a request is in flight only once its body is there", async () => {
  service = await startService({ inFlight: { alwaysTaken: 1, maxWaitMs: 0 } });
  const heads = ["/v1/oauth/token", "/v1/things"].flatMap((path) =>
    Array.from({ length: 3 }, async () => {
      const socket = connect(service.port, "127.0.0.1");
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.key.apiKey}\r\nContent-Length: 100\r\n`;
      socket.write(`${head}Expect: 100-continue\r\n\r\n`);
      // Read: the service awaits the body.
      await once(socket, "data");
      return socket;
    }),
  );
  const sockets = await Promise.all(heads);
  await service.get("/health/live");
  expect((await service.post("/v1/things", { name: "a" })).status).toBe(200);
  expect((await service.send("POST", "/v1/oauth/token", { anonymous: true })).status).toBe(400);
  const { text } = await service.metrics.render();
  expect(text.match(/(?<=^http_requests_in_flight\{.*\} ).*/gm)).toStrictEqual(["0", "0", "0"]);
  for (const socket of sockets) socket.destroy();
});

test("requests for tokens are counted apart", async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  const { promise: full, resolve: isFull } = Promise.withResolvers<void>();
  service = await startService({
    inFlight: { alwaysTaken: 1, maxWaitMs: 0 },
    handlers: {
      makeThing: async () => {
        isFull();
        await gate;
        return { status: 200, json: "{}" };
      },
    },
  });
  const running = service.post("/v1/things", { name: "a" });
  await full;
  expect((await service.post("/v1/things", { name: "b" })).status).toBe(503);
  expect((await service.send("POST", "/v1/oauth/token", { anonymous: true })).status).toBe(400);
  open();
  expect((await running).status).toBe(200);
});

test.each([
  ["nonsense", "NONSENSE\r\n\r\n", "the request is not well-formed HTTP"],
  [
    "a head without end",
    `GET / HTTP/1.1\r\nHost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`,
    "the head of the request is too large",
  ],
  [
    "two lengths",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
    "the request is not well-formed HTTP",
  ],
])("bytes that are no request get an error of the usual shape: %s", async (_name, text, message) => {
  service = await startService();
  const [head = "", body = ""] = (await sendRaw(service.port, text)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  expect(JSON.parse(body)).toStrictEqual({ statusCode: 400, message: [message], error: "Bad Request" });
});

test.each([
  [
    "a head without end",
    `POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nx: ${"a".repeat(20_000)}\r\n\r\n`,
    "the head of the request is too large",
  ],
  ["another protocol", "POST /v1/oauth/token TEA/1.1\r\n\r\n", "the request is not well-formed HTTP"],
  [
    "a chunk without a length",
    "POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nnone\r\n",
    "the request is not well-formed HTTP",
  ],
])("bytes that are no request for a token get an error of OAuth's shape: %s", async (_name, text, description) => {
  service = await startService();
  const [head = "", body = ""] = (await sendRaw(service.port, text)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/^Cache-Control: no-store\r$/m);
  expect(head).toMatch(/^Pragma: no-cache\r$/m);
  expect(JSON.parse(body)).toStrictEqual({ error: "invalid_request", error_description: description });
});

test("an answer that is under way comes before the refusal of what follows it", async () => {
  const { promise: gate, resolve: open } = Promise.withResolvers<void>();
  service = await startService({
    handlers: {
      openDocument: async () => {
        await gate;
        return { status: 200, json: '"first"' };
      },
    },
  });
  const ask = "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
  const received = sendRaw(service.port, `${ask}${ask}NONSENSE\r\n\r\n`);
  await service.get("/health/live");
  open();
  expect((await received).match(/HTTP\/1\.1 \d+/g)).toStrictEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
});

test("an unknown expectation is ignored", async () => {
  service = await startService();
  const text = await sendRaw(
    service.port,
    "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nExpect: tea\r\nConnection: close\r\n\r\n",
  );
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test.each([
  ["no Host", "GET /v1/openapi.json HTTP/1.1\r\nX-Request-Id: mine\r\n\r\n"],
  ["two", "GET /v1/openapi.json HTTP/1.1\r\nX-Request-Id: mine\r\nHost: x\r\nhOST: x\r\n\r\n"],
  ["two in HTTP/1.0", "GET /v1/openapi.json HTTP/1.0\r\nX-Request-Id: mine\r\nHost: x\r\nHost: y\r\n\r\n"],
])("a request names one Host, not %s", async (_name, text) => {
  service = await startService();
  const [head = "", body = "", ...more] = (await sendRaw(service.port, text + text)).split("\r\n\r\n");
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/\r\nX-Request-Id: mine\r\n/);
  expect(head).toMatch(/\r\nConnection: close\r\n/);
  expect(JSON.parse(body)).toStrictEqual({
    statusCode: 400,
    message: ["Host must be there, once"],
    error: "Bad Request",
  });
  expect(more).toStrictEqual([]);
});

test("a request for a token without a Host gets an error of OAuth's shape", async () => {
  service = await startService();
  const [, body = ""] = (await sendRaw(service.port, "POST /v1/oauth/token HTTP/1.1\r\n\r\n")).split("\r\n\r\n");
  expect(JSON.parse(body)).toStrictEqual({
    error: "invalid_request",
    error_description: "Host must be there, once",
  });
});

test("HTTP/1.0 needs no Host", async () => {
  service = await startService();
  expect(await sendRaw(service.port, "GET /v1/openapi.json HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
});

test("CONNECT is refused after what was asked before it, and closes the connection", async () => {
  service = await startService();
  const asked = "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";
  const received = await sendRaw(
    service.port,
    `${asked}${asked}CONNECT elsewhere:443 HTTP/1.1\r\nHost: elsewhere:443\r\nX-Request-Id: mine\r\n\r\n${asked}`,
  );
  expect(received.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 405"]);
  const [head = "", body = ""] = received.slice(received.lastIndexOf("HTTP/1.1")).split("\r\n\r\n");
  expect(head).toMatch(/\r\nX-Request-Id: mine\r\n/);
  expect(JSON.parse(body)).toStrictEqual({
    statusCode: 405,
    message: "CONNECT is not possible here.",
    error: "Method Not Allowed",
  });
});

test("a client that resets the connection after CONNECT does no harm", async () => {
  service = await startService();
  const socket = connect(service.port, "127.0.0.1");
  socket.write("CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n", () => socket.resetAndDestroy());
  await once(socket, "close");
  expect((await service.get("/v1/things/1")).status).toBe(200);
});

test("a client that disconnects in the middle of its body does no harm", async () => {
  service = await startService();
  const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.key.apiKey}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  const { connect } = await import("node:net");
  const socket = connect(service.port, "127.0.0.1", () => socket.write(head, () => socket.resetAndDestroy()));
  await new Promise((resolve) => socket.on("close", resolve));
  expect((await service.get("/v1/things/1")).status).toBe(200);
});
