import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Redis } from "ioredis";
import { describeWith, type FaultProxy, startRedis, startToxiproxy } from "../index.ts";
import { upstreamOf } from "../toxiproxy/upstream.ts";
import { leave } from "./kit/redis-client.ts";
import { isListening } from "./kit/traces.ts";

/** Long enough that an answer which is not held back has come. */
const A_WHILE_MS = 300;

describeWith({ redis: startRedis, toxiproxy: startToxiproxy }, "toxiproxy", ({ redis, toxiproxy }) => {
  let proxy: FaultProxy;
  let client: Redis;
  let direct: Redis;

  const connect = (url: string) => {
    const connected = new Redis(url, { retryStrategy: null, maxRetriesPerRequest: 0 });
    connected.on("error", () => {});
    return connected;
  };
  const closed = (connection: Redis) => new Promise<void>((resolve) => connection.once("close", resolve));
  const answersWithin = (answer: Promise<unknown>) =>
    Promise.race([answer.then(() => "answered"), pause(A_WHILE_MS, "silent")]);

  beforeEach(async () => {
    proxy = await toxiproxy.proxy(redis.url);
    client = connect(proxy.url);
    direct = connect(redis.url);
    await client.flushdb();
  });

  afterEach(() => {
    leave(client);
    leave(direct);
  });

  test("passes everything on, at a port of its own", async () => {
    expect(new URL(proxy.url).port).toBe(String(proxy.port));
    expect(proxy.port).not.toBe(Number(new URL(redis.url).port));
    await client.set("key", "value");
    expect(await direct.get("key")).toBe("value");
  });

  test("cut: nothing arrives and nothing is closed; restored, the silent connections are", async () => {
    await proxy.cut();
    const lost = client.set("key", "lost").catch(() => "lost");
    expect(await answersWithin(lost)).toBe("silent");
    expect(await isListening(proxy.port)).toBe(true);
    expect(await direct.get("key")).toBeNull();
    const ended = closed(client);
    await proxy.restore();
    await ended;
    expect(await lost).toBe("lost");
    client = connect(proxy.url);
    expect(await client.ping()).toBe("PONG");
  });

  test("half-open: what was sent is done, and the answer never comes", async () => {
    await proxy.halfOpen();
    const unheard = client.set("key", "done").catch(() => "lost");
    expect(await answersWithin(unheard)).toBe("silent");
    expect(await direct.get("key")).toBe("done");
    await proxy.restore();
    expect(await unheard).toBe("lost");
  });

  test("latency: every answer comes that much later, until restored", async () => {
    await proxy.latency(200);
    const sent = performance.now();
    await client.ping();
    expect(performance.now() - sent).toBeGreaterThanOrEqual(199);
    // Another one takes the place of the first.
    await proxy.latency(60_000, 10);
    const late = client.ping();
    expect(await answersWithin(late)).toBe("silent");
    await proxy.restore();
    expect(await late).toBe("PONG");
  });

  test("reset: open connections are closed, new ones broken when they carry something, until restored", async () => {
    const ended = closed(client);
    await proxy.reset();
    await ended;
    const broken = connect(proxy.url);
    await expect(broken.ping()).rejects.toThrow();
    await proxy.restore();
    client = connect(proxy.url);
    expect(await client.ping()).toBe("PONG");
  });

  test("down: open connections are closed, new ones refused, until restored at the same port", async () => {
    const ended = closed(client);
    await proxy.down();
    await ended;
    expect(await isListening(proxy.port)).toBe(false);
    await proxy.restore();
    client = connect(proxy.url);
    expect(await client.ping()).toBe("PONG");
  });

  test("disturbances add up, and are restored together", async () => {
    await proxy.latency(1);
    await proxy.halfOpen();
    await proxy.cut();
    await proxy.down();
    await proxy.restore();
    client = connect(proxy.url);
    expect(await client.ping()).toBe("PONG");
  });
});

test.each([
  ["redis://127.0.0.1:7000/3", "127.0.0.1:7000", "redis://127.0.0.1:9/3"],
  ["redis://redis.example", "redis.example:6379", "redis://127.0.0.1:9"],
  [
    "mongodb://127.0.0.1:7001/things?retryWrites=false",
    "127.0.0.1:7001",
    "mongodb://127.0.0.1:9/things?retryWrites=false&directConnection=true",
  ],
  ["esdb://127.0.0.1:2113?tls=false", "127.0.0.1:2113", "esdb://127.0.0.1:9?tls=false"],
  ["127.0.0.1:7002", "127.0.0.1:7002", "127.0.0.1:9"],
])("%s is reached by way of a proxy", (target, address, proxied) => {
  const upstream = upstreamOf(target);
  expect([upstream.address, upstream.urlAt("127.0.0.1:9")]).toStrictEqual([address, proxied]);
});
