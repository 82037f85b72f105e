import { setTimeout } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { RecordingJobHandler } from "@travel-booking/engines/job-queue/contract";
import { describeWith, startRedis, startToxiproxy } from "../../engines/index.ts";
import { scheduleWithRetry, TestQueues } from "./test-queues.ts";

const LOCK_MS = 1_000;

const queues = new TestQueues();
afterEach(() => queues.close());

const namesOf = (problems: readonly unknown[]) => new Set(problems.map((problem) => (problem as Error).name));

describeWith({ server: startRedis.with({ killable: true }) }, "a queue on a Redis that is lost", ({ server }) => {
  test("works again by itself when Redis was killed under load and came back empty", async () => {
    const { queue, problems } = await queues.openConnected(server.url);
    const runs = new RecordingJobHandler(() => setTimeout(1));
    queue.startWorker(runs.handler);
    for (let loss = 0; loss < 3; loss += 1) {
      const woken = Array.from({ length: 300 }, (_, index) =>
        queue.schedule(`lane ${index % 40}`, index % 7).catch(() => {}),
      );
      await runs.waitUntil(({ ended }) => ended.length > 0);
      await server.kill();
      await Promise.all(woken);
      await expect(queue.schedule("away")).rejects.toMatchObject({ name: "JobQueueUnavailable" });
      await server.restart();
      const lanes = Array.from({ length: 20 }, (_, index) => `after loss ${loss}: ${index}`);
      await Promise.all(lanes.map((lane) => scheduleWithRetry(queue, lane)));
      await runs.waitUntil(({ ended }) => lanes.every((lane) => ended.includes(lane)));
    }
    expect([...namesOf(problems)]).toStrictEqual(["RedisUnavailable"]);
  });

  test("wake-ups wait while a connection that was lost is made anew", async () => {
    const { queue, redis } = await queues.openConnected(server.url);
    const runs = new RecordingJobHandler();
    queue.startWorker(runs.handler);
    for (let loss = 0; loss < 5; loss += 1) {
      const lost = new Promise((resolve) => redis.client.once("close", resolve));
      redis.client.disconnect(true);
      await lost;
      await queue.schedule(`lane ${loss}`);
    }
    await runs.waitUntil(({ ended }) => ended.length === 5);
  });

  test("works again after an outage in which a worker gave its wait for work up", async () => {
    const { queue } = await queues.openConnected(server.url);
    const runs = new RecordingJobHandler();
    queue.startWorker(runs.handler);
    await queue.schedule("before");
    await runs.waitUntil(({ ended }) => ended.length === 1);
    await server.kill();
    // A worker waits up to five seconds for work, and then a second for the answer.
    const from = performance.now();
    while (performance.now() - from < 7_000) await queue.schedule("away").catch(() => setTimeout(50));
    await server.restart();
    await scheduleWithRetry(queue, "after");
    await runs.waitUntil(({ ended }) => ended.includes("after"));
  });

  test("works again when Redis was emptied", async () => {
    const { queue, redis } = await queues.openConnected(server.url);
    const gate = Promise.withResolvers<void>();
    const runs = new RecordingJobHandler((lane) => (lane === "held" ? gate.promise : undefined));
    queue.startWorker(runs.handler);
    for (let time = 0; time < 5; time += 1) {
      await queue.schedule(`lane ${time}`);
      await queue.schedule("lost", 3_600_000);
      await runs.waitUntil(({ ended }) => ended.length === time + 1);
      await redis.client.flushall();
    }
    await queue.schedule("held");
    await runs.waitUntil(({ started }) => started.includes("held"));
    await redis.client.flushall();
    await queue.schedule("held");
    await queue.schedule("other");
    await runs.waitUntil(({ ended }) => ended.includes("other"));
    gate.resolve();
    await runs.waitUntil(({ ended }) => ended.filter((lane) => lane === "held").length === 2);
  });

  test("is opened, and woken at last, before Redis is there", async () => {
    await server.kill();
    const { queue } = queues.open(server.url);
    const runs = new RecordingJobHandler();
    queue.startWorker(runs.handler);
    await expect(queue.schedule("a")).rejects.toMatchObject({ name: "JobQueueUnavailable" });
    await server.restart();
    await scheduleWithRetry(queue, "a");
    await runs.waitUntil(({ ended }) => ended.includes("a"));
  });

  test("stops while Redis is away, once what runs has ended", async () => {
    const { queue } = await queues.openConnected(server.url);
    const gate = Promise.withResolvers<void>();
    const runs = new RecordingJobHandler(() => gate.promise);
    const worker = queue.startWorker(runs.handler);
    await queue.schedule("a");
    await runs.waitUntil(({ started }) => started.length === 1);
    await server.kill();
    const stopping = worker.stop();
    gate.resolve();
    await stopping;
    expect(runs.ended).toStrictEqual(["a"]);
    await queue.close();
    await server.restart();
  });

  test("closes though Redis was never there", async () => {
    await server.kill();
    const { queue } = queues.open(server.url);
    queue.startWorker(new RecordingJobHandler().handler);
    await queue.close();
    await server.restart();
  });

  test("goes on after a time in which Redis took nothing", async () => {
    const { queue, redis, problems } = await queues.openConnected(server.url);
    const lanes = Array.from({ length: 50 }, (_, index) => `lane ${index}`);
    await Promise.all(lanes.map((lane) => queue.schedule(lane)));
    await redis.client.config("SET", "maxmemory", "1mb");
    const runs = new RecordingJobHandler();
    queue.startWorker(runs.handler);
    await expect(queue.schedule("refused")).rejects.toThrow(/^Redis: the job queue: OOM command not allowed/);
    while (problems.length === 0) await setTimeout(2);
    await redis.client.config("SET", "maxmemory", "0");
    await runs.waitUntil(({ ended }) => lanes.every((lane) => ended.includes(lane)));
  });

  test("stops while it leaves a Redis alone that takes nothing", async () => {
    const { queue, redis, problems } = await queues.openConnected(server.url);
    await queue.schedule("a");
    await redis.client.config("SET", "maxmemory", "1mb");
    const worker = queue.startWorker(new RecordingJobHandler().handler);
    while (problems.length === 0) await setTimeout(2);
    await worker.stop();
    await redis.client.config("SET", "maxmemory", "0");
    const runs = new RecordingJobHandler();
    queue.startWorker(runs.handler);
    await runs.waitUntil(({ ended }) => ended.includes("a"));
  });

  test("tells no password", async () => {
    const { redis: admin } = await queues.openConnected(server.url);
    await admin.client.config("SET", "requirepass", "r1ght");
    const { queue, problems } = queues.open(server.url.replace("redis://", "redis://:wr0ng@"));
    queue.startWorker(new RecordingJobHandler().handler);
    const refused = await queue.schedule("a").catch((error: unknown) => error);
    while (problems.length === 0) await setTimeout(2);
    const told = [refused, ...problems].map((problem) => `${JSON.stringify(problem)} ${(problem as Error).stack}`);
    expect(told.filter((text) => /wr0ng|r1ght/.test(text))).toStrictEqual([]);
    await admin.client.config("SET", "requirepass", "");
  });
});

describeWith(
  { server: startRedis, toxiproxy: startToxiproxy },
  "a queue on a Redis that hangs",
  ({ server, toxiproxy }) => {
    test("a wake-up fails in time, one in hand goes to who can be heard, and all go on afterwards", async () => {
      const proxy = await toxiproxy.proxy(server.url);
      const { queue, name } = await queues.openConnected(proxy.url, { lockMs: LOCK_MS });
      const { queue: heard } = await queues.openConnected(server.url, { lockMs: LOCK_MS, name });
      const takenOver = Promise.withResolvers<void>();
      const first = new RecordingJobHandler((lane) => (lane === "a" ? takenOver.promise : undefined));
      queue.startWorker(first.handler);
      await queue.schedule("a");
      await first.waitUntil(({ started }) => started.length === 1);
      await proxy.cut();
      await expect(queue.schedule("b")).rejects.toMatchObject({ name: "JobQueueUnavailable" });
      const second = new RecordingJobHandler();
      const worker = heard.startWorker(second.handler);
      await second.waitUntil(({ ended }) => ended.includes("a"));
      takenOver.resolve();
      await proxy.restore();
      await worker.stop();
      await scheduleWithRetry(queue, "c");
      await first.waitUntil(({ ended }) => ended.includes("c"));
    });

    test("a wake-up does not wait long for a server that may not answer", async () => {
      const proxy = await toxiproxy.proxy(server.url);
      const { queue, redis } = await queues.openConnected(proxy.url);
      await queue.schedule("a");
      await proxy.cut();
      const reconnecting = new Promise((resolve) => redis.client.once("reconnecting", resolve));
      await expect(queue.schedule("b")).rejects.toMatchObject({ name: "JobQueueUnavailable" });
      await reconnecting;
      await expect(queue.schedule("c")).rejects.toThrow("Redis: the job queue: Stream isn't writeable");
      await proxy.restore();
      await scheduleWithRetry(queue, "d");
    });

    test("stops while Redis hangs", async () => {
      const proxy = await toxiproxy.proxy(server.url);
      const { queue } = await queues.openConnected(proxy.url);
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      queue.startWorker(runs.handler);
      await queue.schedule("a");
      await runs.waitUntil(({ started }) => started.length === 1);
      await proxy.cut();
      gate.resolve();
      await queue.close();
      expect(runs.ended).toStrictEqual(["a"]);
      await proxy.restore();
    });
  },
);
