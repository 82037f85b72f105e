import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { sendRaw } from "./support/raw.ts";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service.stop());

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
