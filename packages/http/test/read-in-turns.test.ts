import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { openSilently, until } from "./support/raw.ts";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

const ASK = "GET /health/live HTTP/1.1\r\nHost: x\r\n\r\n";

test("of strangers who send at once few are read in a turn, and all in the end", async () => {
  service = await startService();
  const crowd = await Promise.all(Array.from({ length: 300 }, () => openSilently(service.port)));
  await until(() => service.server.connections === 300);
  let read = 0;
  const onRead = () => void read++;
  subscribe("http.server.request.start", onRead);
  for (const { socket } of crowd) socket.write(ASK);
  const answers = Promise.all(crowd.map(({ socket }) => once(socket.resume(), "data")));
  let most = 0;
  let before = 0;
  while (before < 300) {
    await setImmediate();
    most = Math.max(most, read - before);
    before = read;
  }
  unsubscribe("http.server.request.start", onRead);
  expect(most).toBeLessThanOrEqual(68);
  for (const [answer] of await answers) expect(String(answer)).toMatch(/^HTTP\/1\.1 200 /);
  for (const { socket } of crowd) socket.destroy();
});

test("a client that was recognised need not wait for its turn among strangers", async () => {
  service = await startService();
  const crowd = await Promise.all(Array.from({ length: 300 }, () => openSilently(service.port)));
  await until(() => service.server.connections === 300);
  const { socket } = await openSilently(service.port);
  const order: string[] = [];
  const onServed = (message: unknown) => {
    order.push((message as { readonly request: { readonly url: string } }).request.url);
  };
  const ask = `GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${service.key.apiKey}\r\n\r\n`;
  socket.write(ask);
  await once(socket.resume(), "data");
  subscribe("http.server.request.start", onServed);
  for (const stranger of crowd) stranger.socket.write(ASK);
  socket.write(ask);
  await once(socket, "data");
  unsubscribe("http.server.request.start", onServed);
  expect(order.length).toBeLessThanOrEqual(150);
  for (const open of [socket, ...crowd.map((one) => one.socket)]) open.destroy();
});
