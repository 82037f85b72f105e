import { EventEmitter, once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { ClientAddressResolver } from "@travel-booking/http";
import { oneAfterAnother } from "../src/connections.ts";
import { limitConnections } from "../src/limit-connections.ts";
import { recognise } from "../src/strangers.ts";
import { openSilently, sendRaw, until } from "./support/raw.ts";
import { type Service, type ServiceOptions, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

const LAST = "GET /health/live HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";
const DOCUMENT = "GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n";

/** `GET /v1/openapi.json` answers 16 MB, more than a kernel buffers. */
async function start(options: ServiceOptions): Promise<void> {
  const openDocument = () => ({ status: 200, json: Buffer.alloc(16_000_000, "x") });
  service = await startService({ ...options, handlers: { openDocument, ...options.handlers } });
}

/** Shows a valid credential, and waits for the answer. */
async function showKey(socket: Socket): Promise<void> {
  socket.write(`GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key.apiKey}\r\n\r\n`);
  const [answer] = await once(socket.resume(), "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
}

test.each([
  ["asks nothing", ""],
  ["was answered", "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["has not sent all of its head", "GET /v1/things/1 HTTP/1.1\r\nHost: x\r\n"],
  ["has not sent all of its body", "POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n"],
  ["does not read its answer", DOCUMENT],
])("a stranger who comes takes the place of the one who came first: it %s", async (_, sent) => {
  await start({ maxConnections: 8 });
  const held = [await openSilently(service.port), await openSilently(service.port)] as const;
  for (const { socket } of held) socket.write(sent);
  expect(await sendRaw(service.port, LAST, "127.0.0.2")).toMatch(/^HTTP\/1\.1 200 /);
  held[0].socket.resume();
  await held[0].closed;
  expect(service.server.connections).toBe(1);
  held[1].socket.destroy();
});

test("strangers, however many, take no place of those who have shown a credential", async () => {
  await start({ maxConnections: 8, trustedProxies: ["127.0.0.0/8"] });
  const { socket } = await openSilently(service.port);
  await showKey(socket);
  const strangers = await Promise.all(Array.from({ length: 20 }, () => openSilently(service.port)));
  for (const stranger of strangers) stranger.socket.resume();
  await Promise.all(strangers.slice(0, 18).map(({ closed }) => closed));
  expect(service.server.connections).toBe(3);
  await showKey(socket);
  for (const open of [socket, ...strangers.map((one) => one.socket)]) open.destroy();
});

test("of those who have shown one, whoever has most makes room for the next", async () => {
  await start({ maxConnections: 4 });
  const open = async (address: string) => {
    const client = await openSilently(service.port, address);
    await showKey(client.socket);
    return client;
  };
  const one = await open("127.0.0.2");
  const first = await open("127.0.0.3");
  const second = await open("127.0.0.3");
  const next = await open("127.0.0.4");
  await first.closed;
  for (const { socket } of [one, second, next]) {
    await showKey(socket);
    socket.destroy();
  }
});

test("one address has at most half of the connections", async () => {
  await start({ maxConnections: 4 });
  const clients = [await openSilently(service.port)];
  await showKey(clients[0]?.socket as Socket);
  clients.push(await openSilently(service.port));
  await until(() => service.server.connections === 2);
  const third = await openSilently(service.port);
  third.socket.resume();
  await third.closed;
  for (const { socket } of clients) socket.destroy();
  await until(() => service.server.connections === 0);
  expect(await sendRaw(service.port, LAST)).toMatch(/^HTTP\/1\.1 200 /);
});

test("a trusted proxy may have all connections", async () => {
  await start({ maxConnections: 4, trustedProxies: ["127.0.0.0/8"] });
  const clients = [];
  for (let count = 0; count < 3; count += 1) {
    const client = await openSilently(service.port);
    await showKey(client.socket);
    clients.push(client);
  }
  expect(await sendRaw(service.port, LAST)).toMatch(/^HTTP\/1\.1 200 /);
  for (const { socket } of clients) socket.destroy();
});

test("room costs the same however many hold a place, and a request that is worked on makes none", () => {
  let looks = 0;
  const server = new EventEmitter() as Server;
  limitConnections(server, 40_000, new ClientAddressResolver([]));
  const serve = oneAfterAnother(() => undefined);
  let destroyed = 0;
  for (let number = 0; number <= 30_000; number += 1) {
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress: `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`,
      destroy: () => void destroyed++,
    }) as unknown as Socket;
    server.emit("connection", socket);
    const response = {
      socket,
      get writableEnded() {
        looks += 1;
        return false;
      },
      req: { complete: true },
    };
    serve({ socket, headers: {} } as IncomingMessage, response as unknown as ServerResponse);
    if (number === 30_000) expect([looks, destroyed]).toStrictEqual([0, 0]);
    recognise(socket);
  }
  expect([looks, destroyed]).toStrictEqual([32, 0]);
});
