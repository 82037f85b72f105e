import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import type { Server } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import type { ApiResponse, StageFile } from "../src/route.ts";
import { makeThing } from "./support/operations.ts";
import { openSilently, sendRaw, until } from "./support/raw.ts";
import { type Service, type ServiceOptions, startService } from "./support/service.ts";

let service: Service;
/** Node's: it goes by the times that its properties say, and looks every two and a half seconds. */
let server: Server;

async function start(options: ServiceOptions = {}): Promise<void> {
  service = await startService(options);
  const onStart = (message: unknown) => {
    ({ server } = message as { readonly server: Server });
  };
  subscribe("http.server.request.start", onStart);
  await service.get("/health/live");
  unsubscribe("http.server.request.start", onStart);
}

afterEach(() => service.stop());

const TOO_LATE = { statusCode: 400, message: ["the request did not arrive in time"], error: "Bad Request" };

const headOf = (type: string, more = "") =>
  `POST /v1/things HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.key.apiKey}\r\nContent-Type: ${type}\r\nContent-Length: 500\r\n${more}\r\n`;

const partsOf = (received: string) => received.split("\r\n\r\n") as [head: string, body: string];

test.each([
  ["is silent", ""],
  ["sends half a head", "GET /v1/things/1 HTTP/1.1\r\nHost: x\r\n"],
])("a head has ten seconds to arrive: a client that %s is told, and disconnected", async (_, sent) => {
  await start();
  expect(server.headersTimeout).toBe(10_000);
  server.headersTimeout = 1;
  const [head, body] = partsOf(await sendRaw(service.port, sent));
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
  expect(JSON.parse(body)).toStrictEqual(TOO_LATE);
});

test("a whole request has a minute: of an upload that takes longer nothing is stored", async () => {
  const failed = Promise.withResolvers<unknown>();
  const take: StageFile = async (_, { content }) => {
    try {
      await Array.fromAsync(content);
    } catch (error) {
      failed.resolve(error);
      throw error;
    }
    throw new Error("it never comes to its end");
  };
  const upload = { maxBytes: 1_000, take };
  await start({ routes: [{ operation: makeThing, handler: () => ({ status: 201, json: "{}" }), upload }] });
  expect(server.requestTimeout).toBe(60_000);
  // Node swaps the two where the one of heads is longer.
  Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
  const begun = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nhalf of it';
  const [head, body] = partsOf(await sendRaw(service.port, `${headOf("multipart/form-data; boundary=b")}${begun}`));
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
  expect(JSON.parse(body)).toStrictEqual(TOO_LATE);
  expect(await failed.promise).toMatchObject({ message: "the client disconnected" });
});

test("a connection that is kept waits longer than the longest poll, 30 seconds, and than proxies keep theirs", async () => {
  await start();
  expect(server.keepAliveTimeout).toBe(75_000);
  server.keepAliveTimeout = 1;
  const { socket, closed } = await openSilently(service.port);
  socket.resume().write(ALIVE);
  await closed;
});

const ALIVE = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";

/** A client that has learnt that its connection is over, and keeps its own side open. */
async function toldThatItIsOver(): Promise<{ readonly socket: Socket; readonly isGone: () => boolean }> {
  const others = service.server.connections;
  server.keepAliveTimeout = 1;
  const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true });
  const ended = once(socket.resume(), "end");
  socket.write(ALIVE);
  await ended;
  expect(socket.errored).toBe(null);
  return { socket, isGone: () => service.server.connections === others };
}

test("an idle connection is ended, not reset, and gone when its client closes, too", async () => {
  await start();
  const { socket, isGone } = await toldThatItIsOver();
  expect(isGone()).toBe(false);
  const closed = once(socket, "close");
  socket.end();
  expect(await closed).toStrictEqual([false]);
});

test("if its client does not close, it is reset", async () => {
  await start({ unreadTimeoutMs: 20 });
  const { socket, isGone } = await toldThatItIsOver();
  await until(isGone);
  socket.destroy();
});

test("what is asked on a connection that is over is not done", async () => {
  const made = jest.fn(() => ({ status: 201, json: "{}" }) as const);
  await start({ handlers: { makeThing: made } });
  const { socket, isGone } = await toldThatItIsOver();
  const body = JSON.stringify({ name: "late" }).padEnd(500);
  socket.write(`${headOf("application/json")}${body}`);
  await until(isGone);
  expect(made).not.toHaveBeenCalled();
  socket.destroy();
});

/** From now on so many milliseconds have passed since whatever was noted before. */
function later(ms: number): void {
  const now = performance.now.bind(performance);
  jest.spyOn(performance, "now").mockImplementation(() => now() + ms);
}
afterEach(() => void jest.restoreAllMocks());

test("a body of JSON has twenty seconds to arrive; then it is refused, and its connection closed", async () => {
  await start();
  const { socket, closed } = await openSilently(service.port);
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => {
    received += text;
  });
  socket.write(headOf("application/json", "Expect: 100-continue\r\n"));
  // The service awaits the body.
  await once(socket, "data");
  received = "";
  socket.write('{"name":');
  later(20_000);
  await closed;
  const [head, body] = partsOf(received);
  expect(head).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(head).toMatch(/^Connection: close\r?$/m);
  const refusal = { statusCode: 400, message: ["body must arrive within 20 seconds"], error: "Bad Request" };
  expect(JSON.parse(body)).toStrictEqual(refusal);
});

test("a command is answered in time whatever it waits for; it goes on, and its key gets what becomes of it", async () => {
  const { promise, resolve } = Promise.withResolvers<ApiResponse>();
  let begun = 0;
  const makeThing = () => {
    begun += 1;
    return promise;
  };
  await start({ commandTimeoutMs: 50, handlers: { makeThing } });
  const send = () => service.post("/v1/things", { name: "a" }, { "idempotency-key": "k" });
  const late = await send();
  expect([late.status, late.headers.get("service-error-code"), late.headers.get("retry-after")]).toStrictEqual([
    500,
    "outcome_unknown",
    "5",
  ]);
  resolve({ status: 201, json: "{}" });
  let answer = await send();
  while (answer.status === 500) answer = await send();
  expect([answer.status, answer.headers.get("idempotent-replayed"), begun]).toStrictEqual([201, "true", 1]);
});
