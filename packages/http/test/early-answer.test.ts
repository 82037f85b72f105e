import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { afterEach, expect, jest, test } from "@jest/globals";
import { discardBody } from "../src/request/body.ts";
import { sendRaw } from "./support/raw.ts";
import { type Service, startService } from "./support/service.ts";

let service: Service | undefined;
afterEach(() => service?.stop());

const BODY = "x".repeat(8_000_000);
const SIZE = `Content-Length: ${BODY.length}`;

test.each([
  ["closes after its request", "POST /v1/things HTTP/1.1\r\nHost: x\r\nConnection: close", 401],
  ["speaks HTTP/1.0", "POST /v1/things HTTP/1.0", 401],
  ["names two hosts", "POST /v1/things HTTP/1.1\r\nHost: x\r\nHost: y", 400],
])("a client that %s gets to the refusal while it is sending a long body", async (_, head, status) => {
  service = await startService();
  const received = await sendRaw(service.port, `${head}\r\n${SIZE}\r\n\r\n${BODY}`);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toStrictEqual([`HTTP/1.1 ${status}`]);
});

test("what is left of a body that came too slowly is still taken after the answer", async () => {
  service = await startService();
  const socket = connect({ port: service.port, host: "127.0.0.1", allowHalfOpen: true });
  socket.write("POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 8000\r\n\r\n");
  socket.on("error", () => undefined);
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  await once(socket, "end");
  socket.write("x".repeat(4_000));
  // Were it reset, this client would know by then.
  await service.get("/health/live");
  socket.end("x".repeat(4_000));
  const [failed] = await once(socket, "close");
  expect(failed).toBe(false);
});

test("nothing waits for the body of an answered request when its client is gone", async () => {
  const server = createServer((request, response) => {
    discardBody(request);
    response.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  jest.useFakeTimers({ doNotFake: ["nextTick", "setImmediate", "queueMicrotask", "performance", "Date"] });
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n");
  const [connection] = await once(server, "connection");
  // Of half a body, when the client is gone.
  connection.on("error", () => undefined);
  const closed = new Promise((resolve) => connection.once("close", resolve));
  await once(client, "data");
  expect(jest.getTimerCount()).toBe(1);
  client.destroy();
  await closed;
  expect(jest.getTimerCount()).toBe(0);
  jest.useRealTimers();
  server.close();
});
