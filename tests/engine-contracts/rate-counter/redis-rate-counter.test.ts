import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { describeRateCounter } from "@travel-booking/engines/rate-counter/contract";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { openRedis, type RedisConnection, type RedisUnavailable } from "@travel-booking/engines/redis";
import { describeWith, startRedis, startToxiproxy } from "../../engines/index.ts";
import { waitUntilConnected } from "../redis/wait-until-connected.ts";

const NOW = Date.parse("2093-01-10T12:00:30.500Z");
const LENGTH = 60_000;
/** Where nothing is about being late: on a busy machine every answer may be. */
const LONG_DEADLINE = { deadlineMs: 30_000 };

const opened: RedisConnection[] = [];
afterEach(() => Promise.all(opened.splice(0).map((redis) => redis.close())));

async function open(url: string, options: { readonly deadlineMs?: number } = LONG_DEADLINE) {
  const problems: RedisUnavailable[] = [];
  const redis = openRedis(url, { ...options, onProblem: (problem) => problems.push(problem) });
  opened.push(redis);
  await redis.ping();
  const counter = new RedisRateCounter(redis);
  const key = `test-${randomUUID()}`;
  return { redis, counter, problems, key, count: async (now: number) => counter.increment(key, now, LENGTH) };
}

describeWith({ server: startRedis }, "a shared Redis", ({ server }) => {
  describeRateCounter("Redis", async () => {
    const connections = await Promise.all([1, 2, 3].map(() => open(server.url)));
    const [first, ...others] = connections.map(({ counter }) => counter);
    if (first === undefined) throw new Error("there are three");
    return { instances: [first, ...others], dispose: async () => undefined };
  });

  test("keys go by themselves, and not before their window", async () => {
    const { redis, key, count } = await open(server.url);
    await count(NOW);
    const ttl = await redis.client.pttl(`${redis.keyPrefix}rate:${key}`);
    expect([ttl > LENGTH, ttl <= 2 * LENGTH]).toStrictEqual([true, true]);
    await count(NOW + 1);
    expect(await redis.client.pttl(`${redis.keyPrefix}rate:${key}`)).toBeLessThanOrEqual(ttl);
  });
});

describeWith({ server: startRedis.with({ killable: true }) }, "a Redis that dies", ({ server }) => {
  test("the limit goes on in the process, and with Redis once it is back", async () => {
    const { redis, problems, count } = await open(server.url, {});
    const other = await open(server.url, {});
    for (let before = 1; before <= 3; before += 1) expect((await count(NOW)).count).toBe(before);
    await other.counter.increment("someone else's", NOW, LENGTH);
    await server.kill();
    for (let away = 4; away <= 6; away += 1) {
      expect(await count(NOW + away)).toStrictEqual({ startedAt: NOW, count: away });
    }
    // Once it has tried to connect again.
    while (problems.length === 0) await setImmediate();
    await server.restart();
    await waitUntilConnected(redis);
    // Empty: it begins anew. How soon it is asked again is the circuit's affair.
    let window = await count(NOW + 7);
    while (window.startedAt === NOW) window = await setImmediate().then(() => count(NOW + 7));
    expect(window).toStrictEqual({ startedAt: NOW + 7, count: 1 });
    const told = problems.length;
    await server.kill();
    expect((await count(NOW + 8)).startedAt).toBe(NOW);
    while (problems.length === told) await setImmediate();
    await server.restart();
  });

  test("what was counted survives with a Redis that keeps it", async () => {
    const { redis, count } = await open(server.url);
    await count(NOW);
    await redis.client.script("FLUSH");
    expect(await count(NOW)).toStrictEqual({ startedAt: NOW, count: 2 });
  });
});

describeWith({ server: startRedis, toxiproxy: startToxiproxy }, "a Redis that hangs", ({ server, toxiproxy }) => {
  test("is waited for by those who are under way, and then by nobody", async () => {
    const proxy = await toxiproxy.proxy(server.url);
    const { problems, count } = await open(proxy.url, {});
    expect((await count(NOW)).count).toBe(1);
    await proxy.cut();
    const counted = await Promise.all(Array.from({ length: 50 }, () => count(NOW)));
    expect(counted.map((window) => window.count)).toStrictEqual(Array.from({ length: 50 }, (_, index) => index + 2));
    expect(problems.map(({ message }) => message)).toStrictEqual(["Redis: a command failed: no answer within 250 ms"]);
    await proxy.restore();
    // The server has counted the first, and those whose count came through before the cable was cut.
    let window = await count(NOW);
    for (let own = 53; window.count >= own; own += 1) window = await setImmediate().then(() => count(NOW));
    expect(window.startedAt).toBe(NOW);
  });
});
