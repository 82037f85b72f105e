import { randomUUID } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { openRedis, type RedisConnection, type RedisUnavailable } from "@travel-booking/engines/redis";
import { describeWritePositions } from "@travel-booking/engines/write-positions/contract";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import { describeWith, startRedis, startToxiproxy } from "../../engines/index.ts";
import { waitUntilConnected } from "../redis/wait-until-connected.ts";

/** The end of a log that tests write. */
class Log {
  head = 0n;
  asked = 0;

  ask = async () => {
    this.asked += 1;
    return this.head;
  };
}

/** Where nothing is about being late: on a busy machine every answer may be. */
const LONG_DEADLINE = { deadlineMs: 30_000 };
interface Deadline {
  readonly deadlineMs?: number;
}

const opened: RedisConnection[] = [];
afterEach(() => Promise.all(opened.splice(0).map((redis) => redis.close())));

/** Each test has its own part of a Redis. */
async function open(url: string, log: Log, keyPrefix: string, options: Deadline = LONG_DEADLINE) {
  const problems: RedisUnavailable[] = [];
  const redis = openRedis(url, { ...options, keyPrefix, onProblem: (problem) => problems.push(problem) });
  opened.push(redis);
  await redis.ping();
  return { redis, problems, positions: new RedisWritePositions(redis, log.ask) };
}

async function openTwo(url: string, log: Log, options?: Deadline) {
  const keyPrefix = `test-${randomUUID()}:`;
  const openOne = () => open(url, log, keyPrefix, options);
  return { writer: await openOne(), reader: await openOne(), keyPrefix };
}

/** Whether what is known of an account nobody writes for stays, the head having moved on. */
async function isKept(positions: RedisWritePositions, log: Log): Promise<boolean> {
  const known = await positions.positionOf("b");
  log.head += 1n;
  return (await positions.positionOf("b")) === known;
}

/** What became of a write's position. */
const outcomeOf = (recording: Promise<unknown>) =>
  recording.then(
    () => "kept",
    (error: Error) => error.name,
  );
const NOT_KEPT = "RedisUnavailable";

describeWith({ server: startRedis }, "write positions on a shared Redis", ({ server }) => {
  describeWritePositions("Redis", async () => {
    const { writer, reader } = await openTwo(server.url, new Log());
    return { instances: [writer.positions, reader.positions], dispose: async () => undefined };
  });

  test("the head is asked for once, as long as Redis remembers", async () => {
    const log = new Log();
    log.head = 40n;
    const { writer, reader } = await openTwo(server.url, log);
    expect(await reader.positions.positionOf("a")).toBe(40n);
    log.head = 50n;
    await writer.positions.record("a", 50n);
    await writer.positions.record("b", 30n);
    const known = await Promise.all(["a", "b", "c"].map((id) => reader.positions.positionOf(id)));
    expect([known, log.asked]).toStrictEqual([[50n, 40n, 40n], 1]);
  });

  test("everything goes by itself", async () => {
    const { writer, reader, keyPrefix } = await openTwo(server.url, new Log());
    await writer.positions.record("a", 1n);
    await reader.positions.positionOf("a");
    const keys = await writer.redis.client.keys(`${keyPrefix}*`);
    const ttls = await Promise.all(keys.map((key) => writer.redis.client.ttl(key)));
    expect(ttls.map((ttl) => ttl > 6 * 86_400 && ttl <= 7 * 86_400)).toStrictEqual([true, true]);
  });

  test("a floor that somebody began to raise, and never did, is the head for the others", async () => {
    const log = new Log();
    log.head = 7n;
    const { reader } = await openTwo(server.url, log);
    const { redis } = reader;
    await reader.positions.positionOf("a");
    await redis.run((client, runId) => client.set(`${redis.keyPrefix}written:${runId}`, "raised by somebody"));
    log.head = 8n;
    expect([await reader.positions.positionOf("a"), log.asked]).toStrictEqual([8n, 2]);
  });
});

describeWith(
  { server: startRedis.with({ killable: true }) },
  "write positions on a Redis that forgets",
  ({ server }) => {
    test("what was written before Redis was emptied is found", async () => {
      const log = new Log();
      const { writer, reader } = await openTwo(server.url, log);
      for (let position = 1n; position <= 5n; position += 1n) {
        log.head = position * 10n;
        await writer.positions.record("a", log.head);
        await writer.redis.client.flushall();
        expect(await reader.positions.positionOf("a")).toBe(log.head);
        expect(await reader.positions.positionOf("someone else")).toBe(log.head);
      }
    });

    test("Redis is emptied again while the floor is raised", async () => {
      const log = new Log();
      const { writer, reader } = await openTwo(server.url, log);
      let emptied = false;
      log.head = 10n;
      const raising = new RedisWritePositions(reader.redis, async () => {
        const seen = log.head;
        if (!emptied) {
          emptied = true;
          log.head = 20n;
          await writer.positions.record("a", 20n);
          await writer.redis.client.flushall();
        }
        return seen;
      });
      expect(await raising.positionOf("b")).toBe(10n);
      expect(await raising.positionOf("a")).toBe(20n);
    });

    test("positions are not lost, whatever is emptied when", async () => {
      const log = new Log();
      const { writer, reader } = await openTwo(server.url, log);
      let done = false;
      const emptying = (async () => {
        while (!done) await writer.redis.client.flushall();
      })();
      try {
        for (let position = 1n; position <= 300n; position += 1n) {
          log.head = position;
          await writer.positions.record("a", position);
          const known = (await reader.positions.positionOf("a")) >= position;
          if (!known) throw new Error(`position ${position} is lost`);
        }
      } finally {
        done = true;
        await emptying;
      }
    });

    test("Redis is away: nothing is kept, the head counts, and both go on by themselves", async () => {
      const log = new Log();
      const { writer, reader } = await openTwo(server.url, log, {});
      log.head = 10n;
      await writer.positions.record("a", 10n);
      await server.kill();
      log.head = 11n;
      expect(await outcomeOf(writer.positions.record("a", 11n))).toBe(NOT_KEPT);
      expect(await outcomeOf(writer.positions.record("a", 11n))).toBe(NOT_KEPT);
      expect(await Promise.all(["a", "b"].map((id) => reader.positions.positionOf(id)))).toStrictEqual([11n, 11n]);
      expect(log.asked).toBe(1);
      // Once it has tried to connect again.
      while (writer.problems.length === 0 || reader.problems.length === 0) await setImmediate();
      await server.restart();
      await Promise.all([waitUntilConnected(writer.redis), waitUntilConnected(reader.redis)]);
      log.head = 12n;
      while ((await outcomeOf(writer.positions.record("a", 12n))) === NOT_KEPT) await setImmediate();
      expect(await reader.positions.positionOf("a")).toBe(12n);
      expect(await reader.positions.positionOf("b")).toBe(12n);
      // On a busy machine an answer may come too late once more, and the head counts once more.
      while (!(await isKept(reader.positions, log))) await setImmediate();
    });

    test("the head fails: so does the read", async () => {
      const { redis } = await open(server.url, new Log(), `test-${randomUUID()}:`);
      const positions = new RedisWritePositions(redis, () => Promise.reject(new Error("the log is away")));
      await expect(positions.positionOf("a")).rejects.toStrictEqual(new Error("the log is away"));
      await server.kill();
      await expect(positions.positionOf("a")).rejects.toStrictEqual(new Error("the log is away"));
      await server.restart();
    });
  },
);

for (const appendOnly of [false, true]) {
  describeWith(
    { server: startRedis.with({ killable: true, appendOnly }) },
    `write positions on a Redis that is killed and ${appendOnly ? "keeps" : "loses"} what was written`,
    ({ server }) => {
      test("nothing that was recorded is missing after the restart", async () => {
        const log = new Log();
        const { writer, reader } = await openTwo(server.url, log, {});
        log.head = 5n;
        expect(await reader.positions.positionOf("a")).toBe(5n);
        log.head = 10n;
        await writer.positions.record("a", 10n);
        await server.kill();
        await server.restart();
        await Promise.all([waitUntilConnected(writer.redis), waitUntilConnected(reader.redis)]);
        expect(await reader.positions.positionOf("a")).toBe(10n);
        expect(await reader.positions.positionOf("b")).toBe(10n);
        log.head = 11n;
        await writer.positions.record("a", 11n);
        expect(await reader.positions.positionOf("a")).toBe(11n);
      });
    },
  );
}

describeWith(
  { server: startRedis, toxiproxy: startToxiproxy },
  "write positions on a Redis that hangs",
  ({ server, toxiproxy }) => {
    test("nobody waits long, and what could not be kept is told", async () => {
      const proxy = await toxiproxy.proxy(server.url);
      const log = new Log();
      const { writer, reader } = await openTwo(proxy.url, log, {});
      await writer.positions.record("a", 1n);
      await proxy.cut();
      log.head = 2n;
      const records = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(writer.positions.record("a", 2n))));
      expect(new Set(records)).toStrictEqual(new Set([NOT_KEPT]));
      expect(await reader.positions.positionOf("a")).toBe(2n);
      expect([writer.problems.length, reader.problems.length]).toStrictEqual([1, 1]);
      await proxy.restore();
    });
  },
);
