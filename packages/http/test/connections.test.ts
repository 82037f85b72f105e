import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { IncomingMessage, type Server } from "node:http";
import { Socket } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import { type RunningServer, startServer } from "@travel-booking/http";
import express, { type Response } from "express";
import { pino } from "pino";
import { openSilently, sendRaw, until } from "./support/raw.ts";
import { type Service, type ServiceOptions, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

const DOCUMENT = Buffer.alloc(16_000_000, "x");

/** `GET /v1/openapi.json` answers 16 MB, more than a kernel buffers, and is counted. */
async function start(options: ServiceOptions = {}) {
  const handled: string[] = [];
  const openDocument = ({ requestId }: { readonly requestId: string }) => {
    handled.push(requestId);
    return { status: 200, json: DOCUMENT };
  };
  service = await startService({ ...options, handlers: { openDocument, ...options.handlers } });
  return handled;
}

const ask = (id: number, path = "/v1/openapi.json") => `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${id}\r\n\r\n`;

const LAST = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

/** Starts a server, and has it look at its connections once a call instead of once a second. */
async function lookingWhenTold(starting: () => Promise<unknown>): Promise<() => void> {
  const looks = jest.spyOn(globalThis, "setInterval");
  await starting();
  const look = looks.mock.calls.find(([, interval]) => interval === 1_000)?.[0] as () => void;
  looks.mockRestore();
  return look;
}

const silentClient = () => openSilently(service.port);

test("the requests of a connection are worked on one after another, and answered in their order", async () => {
  const handled = await start();
  const last = ask(3).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  const received = await sendRaw(service.port, ask(1) + ask(2, "/v1/nothing") + last);
  expect(
    [...received.matchAll(/HTTP\/1\.1 (\d+)[^\n]*\r\nX-Request-Id: (\d)/g)].map(([, ...found]) => found),
  ).toStrictEqual([
    ["200", "1"],
    ["404", "2"],
    ["200", "3"],
  ]);
  expect(handled).toStrictEqual(["1", "3"]);
});

test("while an answer is not read, no further request of its connection is worked on", async () => {
  const handled = await start();
  const { socket } = await silentClient();
  socket.write(Array.from({ length: 20 }, (_, id) => ask(id)).join(""));
  // The first answer begins, and stays unread but for its beginning: so all of them have arrived.
  await once(socket, "readable");
  await sendRaw(service.port, ask(100).replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
  expect(handled).toStrictEqual(["0", "100"]);
  socket.destroy();
});

test("a client that sends far more requests than it reads answers is disconnected", async () => {
  const handled = await start();
  const { socket, closed } = await silentClient();
  socket.write(Array.from({ length: 1_000 }, (_, id) => ask(id)).join(""));
  socket.resume();
  await closed;
  expect(handled).toStrictEqual(["0"]);
});

test("there is an end to the requests that are sent ahead on all connections together", async () => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  let asked = 0;
  await start({
    handlers: {
      getThing: async () => {
        asked += 1;
        await gate;
        return { status: 200, json: "{}" };
      },
    },
  });
  const one = `GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key.apiKey}\r\n\r\n`;
  const clients: Socket[] = [];
  // Many at once, and then again.
  for (const crowd of [70, 40]) {
    const came = await Promise.all(Array.from({ length: crowd }, () => silentClient()));
    for (const { socket } of came) clients.push(socket.resume());
    await until(() => service.server.connections >= crowd);
    for (const { socket } of came) socket.write(one.repeat(30));
    // A thousand wait: 34 connections are at 29 each, or were on their way there when it was reached.
    await Promise.race(came.map(({ closed }) => closed));
    await until(() => service.server.connections <= 35);
  }
  expect(asked).toBeGreaterThanOrEqual(34);
  // Whoever has left makes room.
  for (const socket of clients) socket.destroy();
  release();
  await until(() => service.server.connections === 0);
  const last = ask(3, "/v1/nothing").replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n");
  const received = await sendRaw(service.port, ask(1, "/v1/nothing").repeat(20) + last);
  expect(received.match(/HTTP\/1\.1 404/g)).toHaveLength(21);
});

test("what is sent behind bytes that are no HTTP is not read until the answer before them is written", async () => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  let malformed = 0;
  const watch = (message: unknown) => {
    const { server } = message as { readonly server: Server };
    server.on("clientError", () => void malformed++);
  };
  subscribe("http.server.request.start", watch);
  const getThing = async () => {
    await gate;
    return { status: 200, json: "{}" };
  };
  await start({ handlers: { getThing } });
  const { socket, closed } = await silentClient();
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
  });
  socket.write(`GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key.apiKey}\r\n\r\n\0`);
  await until(() => malformed === 1);
  unsubscribe("http.server.request.start", watch);
  socket.write("\0");
  await sendRaw(service.port, LAST);
  expect(malformed).toBe(1);
  release();
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
});

test("what such a client has sent besides is not even parsed", async () => {
  let parsed = 0;
  const count = () => void parsed++;
  subscribe("http.server.request.start", count);
  await start();
  const { socket, closed } = await silentClient();
  socket.write(Array.from({ length: 1_000 }, (_, id) => ask(id, "/health/live")).join(""));
  socket.resume();
  await closed;
  unsubscribe("http.server.request.start", count);
  expect(parsed).toBeLessThan(40);
});

test("others are served between the requests that one connection has sent ahead", async () => {
  await start();
  const { socket } = await silentClient();
  const second = await silentClient();
  const served: unknown[] = [];
  const onServed = (message: unknown) => {
    const { request } = message as { readonly request: IncomingMessage };
    served.push(request.headers["x-request-id"]);
    if (served.length === 1) second.socket.write(ask(100, "/v1/nothing"));
  };
  subscribe("http.server.response.finish", onServed);
  socket.resume().write(Array.from({ length: 30 }, (_, id) => ask(id, "/v1/nothing")).join(""));
  await once(second.socket, "readable");
  unsubscribe("http.server.response.finish", onServed);
  expect(served.indexOf("100")).toBeLessThan(5);
  for (const client of [socket, second.socket]) client.destroy();
});

test("a body that nobody reads ends, or its connection does", async () => {
  await start();
  const { socket, closed } = await silentClient();
  socket.write("POST /v1/nothing HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
  socket.resume();
  const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
  let sent = 0;
  const send = () => {
    while (!socket.destroyed && socket.write(chunk)) sent += 65_536;
  };
  socket.on("drain", send);
  send();
  await closed;
  expect(sent).toBeLessThan(50_000_000);
});

test.each(["/v1/nothing", "/v1/oauth/token"])(
  "of a body in a great many small pieces few are kept: %s",
  async (path) => {
    await start();
    const push = jest.spyOn(IncomingMessage.prototype, "push");
    const { socket, closed } = await silentClient();
    const disconnect = jest.spyOn(Socket.prototype, "destroy");
    const pieces = "1\r\na\r\n".repeat(10_000);
    socket.resume().write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}`);
    await closed;
    const kept = push.mock.calls.length;
    // Of what is parsed further, each piece would disconnect it again.
    const disconnected = disconnect.mock.contexts.filter((one) => one !== socket).length;
    for (const spy of [push, disconnect]) spy.mockRestore();
    expect([kept, disconnected]).toStrictEqual([1_000, 1]);
    // Node uses parsers again.
    const body = '3\r\n{"a\r\n4\r\n":1}\r\n0\r\n\r\n';
    const next = await sendRaw(
      service.port,
      `POST /v1/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-API-Key: ${service.key.apiKey}\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n${body}`,
    );
    expect(next).toMatch(/"message":\["/);
  },
);

test.each([
  ["", 0],
  ["GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n", 1],
])(
  "blank lines in place of a request end the connection: after %j",
  async (request, answers) => {
    const handled = await start();
    const { socket, closed } = await silentClient();
    let received = "";
    socket.on("data", (bytes) => {
      received += bytes;
    });
    socket.write(request);
    const pour = () => {
      while (!socket.destroyed && socket.write("\r\n".repeat(1_000)));
    };
    socket.on("drain", pour);
    pour();
    // Of a slow head it would be told, and after an answer it may wait for over a minute.
    await closed;
    expect([received.split("HTTP/1.1").length - 1, handled]).toStrictEqual([answers, []]);
  },
  30_000,
);

test("after a body that nobody needed the connection serves the next request", async () => {
  await start();
  const body = "x".repeat(5_000_000);
  const received = await sendRaw(
    service.port,
    `POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  expect([...received.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toStrictEqual(["404", "200"]);
});

test("a body that nobody needed may take its time", async () => {
  let served: Socket | undefined;
  const onStart = (message: unknown) => {
    served = (message as { readonly socket: Socket }).socket;
  };
  subscribe("http.server.request.start", onStart);
  const look = await lookingWhenTold(start);
  const { socket, closed } = await silentClient();
  let received = "";
  socket.on("data", (bytes) => {
    received += bytes;
  });
  socket.write("POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 600000\r\n\r\n");
  await until(() => received !== "");
  unsubscribe("http.server.request.start", onStart);
  for (const sent of [200_000, 400_000, 600_000]) {
    socket.write(Buffer.alloc(200_000));
    await until(() => served?.destroyed === true || (served?.bytesRead ?? 0) > sent);
    look();
  }
  socket.write(LAST);
  await closed;
  expect(received.match(/HTTP\/1\.1 \d+/g)).toStrictEqual(["HTTP/1.1 404", "HTTP/1.1 200"]);
});

test.each([
  ["a body", "POST /v1/nothing HTTP/1.1\r\nHost: x\r\nContent-Length: 10000000\r\n\r\n"],
  ["no HTTP", ask(1)],
])("of what a client sends at once no more than one piece is read in a turn: %s", async (_, head) => {
  let served: Socket | undefined;
  const onStart = (message: unknown) => {
    served = (message as { readonly socket: Socket }).socket;
  };
  subscribe("http.server.request.start", onStart);
  await start();
  const { socket, closed } = await silentClient();
  socket.resume().write(head);
  await until(() => served !== undefined);
  unsubscribe("http.server.request.start", onStart);
  socket.write(Buffer.alloc(1_500_000));
  let most = 0;
  let before = served?.bytesRead ?? 0;
  // A turn each: between two of them libuv looks at every connection once.
  while (served?.destroyed === false && served.bytesRead < 1_500_000) {
    await new Promise((resolve) => setImmediate(resolve));
    most = Math.max(most, served.bytesRead - before);
    before = served.bytesRead;
  }
  socket.destroy();
  await closed;
  expect(most).toBe(65_536);
});

test("a client that does not read its answer is disconnected", async () => {
  await start({ unreadTimeoutMs: 100 });
  const { socket, closed } = await silentClient();
  socket.write(ask(1));
  // Its own end of the connection notices once it reads.
  await until(() => service.server.connections === 0);
  socket.resume();
  await closed;
});

test("an answer has five minutes to be taken, in however small pieces", async () => {
  const look = await lookingWhenTold(() => start({ unreadTimeoutMs: 1_000_000 }));
  const { socket, closed } = await silentClient();
  socket.write(ask(1));
  await once(socket, "readable");
  for (let seconds = 0; seconds < 300; seconds += 1) {
    look();
    socket.read(1);
  }
  await sendRaw(service.port, LAST);
  expect(service.server.connections).toBe(1);
  look();
  await until(() => service.server.connections === 0);
  socket.resume();
  await closed;
}, 20_000);

test("a handler has longer than that, and so has a stream of the operator's", async () => {
  const app = express();
  let stream: Response | undefined;
  let answer: Response | undefined;
  app.get("/stream", (_request, response) => {
    response.write("first, ");
    stream = response;
  });
  app.get("/answer", (_request, response) => {
    answer = response;
  });
  let server: RunningServer | undefined;
  const look = await lookingWhenTold(async () => {
    server = await startServer(app, { host: "127.0.0.1", port: 0 });
  });
  const texts = ["/stream", "/answer"].map(async (path) => {
    return (await fetch(`http://127.0.0.1:${server?.port}${path}`)).text();
  });
  await until(() => stream !== undefined && answer !== undefined);
  for (let seconds = 0; seconds < 400; seconds += 1) look();
  stream?.end("last");
  answer?.end("answered");
  expect(await Promise.all(texts)).toStrictEqual(["first, last", "answered"]);
  await server?.stop(1_000);
});

test("a handler may take longer than an answer may be unread", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  service = await startService({
    unreadTimeoutMs: 50,
    handlers: {
      getThing: async () => {
        await promise;
        return { status: 200, json: "{}" };
      },
    },
  });
  const answer = service.get("/v1/things/1");
  const { closed } = await silentClient();
  // This connection is as old as the request, and is closed for its silence.
  await closed;
  resolve();
  expect((await answer).status).toBe(200);
});

test("pages for clients without a credential are written in pieces, and others are served between them", async () => {
  await start();
  const clients = await Promise.all(Array.from({ length: 8 }, () => silentClient()));
  const ended: string[] = [];
  const pages = clients.map(async ({ socket }) => {
    let received = 0;
    socket.on("data", (chunk: Buffer) => {
      received += chunk.length;
      if (received > DOCUMENT.length) socket.destroy();
    });
    socket.write(ask(1));
    await once(socket, "close");
    ended.push("page");
  });
  await once(clients[0]?.socket as Socket, "data");
  const answers = async () => {
    for (let count = 0; count < 3; count += 1) await service.get("/v1/things/1");
    ended.push("answers");
  };
  await Promise.all([...pages, answers()]);
  expect(ended[0]).toBe("answers");
});

test("a client that is gone before its page is there is nobody's error", async () => {
  const errors: unknown[] = [];
  const logger = pino({ level: "error" }, { write: (line) => void errors.push(line) });
  const { promise: asked, resolve: ask1 } = Promise.withResolvers<void>();
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  const openDocument = async () => {
    ask1();
    await gone;
    return { status: 200, json: DOCUMENT };
  };
  await start({ logger, handlers: { openDocument } });
  const { socket } = await silentClient();
  socket.write(ask(1));
  await asked;
  socket.resetAndDestroy();
  await until(() => service.server.connections === 0);
  leave();
  await until(async () => /http_requests_in_flight\{service="query"\} 0/.test((await service.metrics.render()).text));
  expect(errors).toStrictEqual([]);
});
