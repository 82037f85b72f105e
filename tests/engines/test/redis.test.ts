import { expect, test } from "@jest/globals";
import { describeWith, startRedis } from "../index.ts";
import { withRedis } from "./kit/redis-client.ts";
import { requireEngine } from "./kit/require-engine.ts";
import { isListening, remainingTraces, tracesOf } from "./kit/traces.ts";

describeWith({ redis: startRedis.with({ killable: true }) }, "redis", ({ redis }) => {
  test("answers its client", async () => {
    expect(await withRedis(redis.url, (client) => client.ping())).toBe("PONG");
  });

  test("is gone once killed, and empty at the same url once restarted", async () => {
    const { url } = redis;
    await withRedis(url, (client) => client.set("key", "value"));
    await redis.kill();
    expect(await isListening(Number(new URL(url).port))).toBe(false);
    await redis.restart();
    expect(redis.url).toBe(url);
    expect(await withRedis(url, (client) => client.get("key"))).toBeNull();
  });

  test("is killed by a restart where it runs", async () => {
    await withRedis(redis.url, async (client) => {
      await client.set("key", "value");
      const closed = new Promise((resolve) => client.once("close", resolve));
      await redis.restart();
      await closed;
    });
    expect(await withRedis(redis.url, (client) => client.get("key"))).toBeNull();
  });
});

describeWith({ redis: startRedis.with({ appendOnly: true }) }, "redis that appends", ({ redis }) => {
  test("has everything that was acknowledged after a kill", async () => {
    await withRedis(redis.url, async (client) => {
      for (let number = 1; number <= 200; number += 1) await client.rpush("list", number);
      await redis.kill();
    });
    await redis.restart();
    expect(await withRedis(redis.url, (client) => client.llen("list"))).toBe(200);
  });
});

describeWith({ other: startRedis.with({ killable: true }) }, "several of them", ({ other }) => {
  test("have nothing to do with each other, and nothing of one is left once it is stopped", async () => {
    const redis = requireEngine(await startRedis({ killable: true }));
    await withRedis(redis.url, (client) => client.set("key", "value"));
    expect(await withRedis(other.url, (client) => client.dbsize())).toBe(0);
    const traces = tracesOf(redis.url);
    await redis.stop();
    expect(await remainingTraces(traces)).toStrictEqual([]);
    expect(await withRedis(other.url, (client) => client.ping())).toBe("PONG");
  });

  test("can be stopped after a kill", async () => {
    const redis = requireEngine(await startRedis({ killable: true }));
    const traces = tracesOf(redis.url);
    await redis.kill();
    await redis.stop();
    expect(await remainingTraces(traces)).toStrictEqual([]);
  });
});
