import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, test } from "@jest/globals";
import { PortInUse, startServer } from "@travel-booking/http";
import express from "express";
import { type Service, startService } from "./support/service.ts";

let service: Service;
afterEach(() => service?.stop());

test("health needs no credential, and says why the service is not ready in a word", async () => {
  const states: Record<"log" | "models" | "disk", boolean | string> = { log: true, models: true, disk: true };
  const lifecycle = { stopping: false };
  service = await startService({
    readiness: {
      store: {
        "the log": () => states.log,
        "the models": async () => states.models || Promise.reject(new Error("away: mongodb://user:password@db")),
      },
      disk_full: { disk: () => states.disk },
    },
    readinessDetails: { secretKey: async () => "5 records sealed anew" },
    lifecycle,
  });
  expect((await service.send("GET", "/health/live", { anonymous: true })).body).toStrictEqual({ status: "ok" });
  const ready = async () => {
    const { status, body, headers } = await service.send("GET", "/health/ready", { anonymous: true });
    expect(headers.get("x-request-id")).toMatch(/./);
    return [status, headers.get("service-error-code"), body];
  };
  const notReady = (...message: string[]) => [
    503,
    "not_ready",
    { status: "not_ready", statusCode: 503, message, error: "Service Unavailable" },
  ];
  expect(await ready()).toStrictEqual([200, null, { status: "ready" }]);
  states.log = "the log lacks event 7";
  states.models = false;
  expect(await ready()).toStrictEqual(notReady("store"));
  states.disk = "12 MB are free";
  expect(await ready()).toStrictEqual(notReady("store", "disk_full"));
  lifecycle.stopping = true;
  expect(await ready()).toStrictEqual(notReady("stopping"));
});

test("metrics count the requests of each operation by status", async () => {
  service = await startService();
  await service.get("/v1/things/1");
  await service.get("/v1/things/2");
  await service.get("/v1/things/1?x=1");
  const { text } = await service.metrics.render();
  expect(text).toContain('http_request_duration_seconds_count{operation="getThing",status="200"} 2\n');
  expect(text).toContain('http_request_duration_seconds_count{operation="getThing",status="400"} 1\n');
  expect(text).toContain('http_requests_in_flight{service="query"} 0\n');
});

test("metrics are not on the public port", async () => {
  service = await startService();
  expect((await service.send("GET", "/metrics", { anonymous: true })).status).toBe(404);
  expect((await service.send("POST", "/metrics", { anonymous: true })).status).toBe(404);
});

test("a port in use is named", async () => {
  service = await startService();
  const second = startServer(express(), { host: "127.0.0.1", port: service.port });
  await expect(second).rejects.toBeInstanceOf(PortInUse);
  await expect(startServer(express(), { host: "127.0.0.1", port: service.port })).rejects.toThrow(
    `port ${service.port} on 127.0.0.1 is in use by another process`,
  );
});

/** A connection that stays open; `closed` resolves to all it received. */
async function open(port: number) {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => {
    received += text;
  });
  await new Promise((resolve) => socket.on("connect", resolve));
  const closed = new Promise<string>((resolve) => socket.on("close", () => resolve(received)));
  return { socket, closed };
}

test("stopping finishes what runs, closes what is idle, and accepts nothing more", async () => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  const { promise: running, resolve: runs } = Promise.withResolvers<void>();
  service = await startService({
    handlers: {
      getThing: async () => {
        runs();
        await gate;
        return { status: 200, json: '"done"' };
      },
    },
  });
  const idle = await open(service.port);
  const busy = await open(service.port);
  busy.socket.write(`GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.key.apiKey}\r\n\r\n`);
  await running;
  const stopped = service.server.stop(5_000);
  expect(await idle.closed).toBe("");
  await expect(fetch(`${service.baseUrl}/health/live`)).rejects.toThrow();
  release();
  const text = await busy.closed;
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(text).toMatch(/\r\nConnection: close\r\n/);
  expect(text).toMatch(/"done"$/);
  await stopped;
});

test("stopping behind a proxy answers once more on each connection, and says that it was the last time", async () => {
  const app = express().use((_request, response) => void response.end("served"));
  const server = await startServer(app, { host: "127.0.0.1", port: 0, trustedProxies: ["127.0.0.1"] });
  const [unused, idle, used] = [await open(server.port), await open(server.port), await open(server.port)];
  const ask = ({ socket }: typeof used) => socket.write("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n");
  for (const connection of [idle, used]) {
    ask(connection);
    await once(connection.socket, "data");
  }
  const stopped = server.stop(5_000);
  // Until it accepts nothing more.
  while (await fetch(`http://127.0.0.1:${server.port}`).catch(() => undefined));
  for (const connection of [unused, used]) ask(connection);
  expect((await unused.closed).match(/^Connection: .*|served/gm)).toStrictEqual(["Connection: close", "served"]);
  expect((await used.closed).match(/^Connection: [a-z-]*|served/gm)).toStrictEqual([
    "Connection: keep-alive",
    "served",
    "Connection: close",
    "served",
  ]);
  expect((await idle.closed).match(/^Connection: [a-z-]*|served/gm)).toStrictEqual([
    "Connection: keep-alive",
    "served",
  ]);
  await stopped;
});

test("stopping does not wait for ever", async () => {
  const { promise: running, resolve: runs } = Promise.withResolvers<void>();
  service = await startService({
    handlers: {
      getThing: () => {
        runs();
        return new Promise(() => undefined);
      },
    },
  });
  const busy = await open(service.port);
  busy.socket.write(`GET /v1/things/1 HTTP/1.1\r\nHost: x\r\nx-api-key: ${service.key.apiKey}\r\n\r\n`);
  await running;
  await service.server.stop(10);
  expect(await busy.closed).toBe("");
});
