import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { sendRaw } from "./support/raw.ts";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service.stop());

test("a request for a token whose body does not come is refused, and its connection closed", async () => {
  service = await startService();
  const head = "POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\ngrant_type=";
  const [answerHead = "", body = ""] = (await sendRaw(service.port, head)).split("\r\n\r\n");
  expect(answerHead).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
  expect(answerHead).toMatch(/^Connection: close\r?$/m);
  expect(JSON.parse(body)).toStrictEqual({
    error: "invalid_request",
    error_description: "body must arrive within 5 seconds",
  });
});

test("a body that comes in time after a pause is read", async () => {
  service = await startService();
  const socket = connect(service.port, "127.0.0.1");
  const head = `POST /v1/things HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.key.apiKey}\r\nContent-Type: application/json\r\n`;
  socket.write(`${head}Content-Length: 12\r\n\r\n{"name":`);
  await service.get("/health/live");
  socket.write('"a"}');
  const [answer] = await once(socket, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  socket.destroy();
});
