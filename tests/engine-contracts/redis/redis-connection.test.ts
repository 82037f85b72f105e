import { afterEach, expect, test } from "@jest/globals";
import { endClient, openRedis, type RedisConnection, type RedisUnavailable } from "@travel-booking/engines/redis";
import { describeWith, startRedis, startToxiproxy } from "../../engines/index.ts";
import { waitUntilConnected } from "./wait-until-connected.ts";

const opened: RedisConnection[] = [];
afterEach(() => Promise.all(opened.splice(0).map((redis) => redis.close())));

function open(url: string) {
  const problems: RedisUnavailable[] = [];
  // Where nothing is about being late: on a busy machine every answer may be.
  const redis = openRedis(url, { deadlineMs: 30_000, onProblem: (problem) => problems.push(problem) });
  opened.push(redis);
  /** The server that gets a command. */
  const runId = () => redis.run(async (_, id) => id);
  return { redis, client: redis.client, problems, runId };
}

/** Unlike events.once, it does not take an error that comes first for its own. */
function nextEvent(client: RedisConnection["client"], event: string): Promise<void> {
  return new Promise((resolve) => client.once(event, () => resolve()));
}

describeWith({ server: startRedis.with({ killable: true }) }, "a connection to Redis", ({ server }) => {
  test("knows which server it leads to", async () => {
    const { redis, client, problems, runId } = open(server.url);
    await expect(runId()).rejects.toThrow("Redis is out of reach");
    await redis.ping();
    expect(await runId()).toBe(/run_id:(\w+)/.exec(await client.info("server"))?.[1]);
    expect([redis.keyPrefix, problems]).toStrictEqual(["tbs:", []]);
  });

  test("fails at once while Redis is away, tells it once, and finds the other server by itself", async () => {
    const { redis, client, problems, runId } = open(server.url);
    await redis.ping();
    const before = await runId();
    const closed = nextEvent(client, "close");
    await server.kill();
    await closed;
    await expect(runId()).rejects.toMatchObject({ name: "RedisUnavailable" });
    for (let failed = 0; failed < 3; failed += 1) {
      await expect(client.get("k")).rejects.toThrow("Stream isn't writeable");
      await nextEvent(client, "reconnecting");
    }
    const message = `Redis: no connection: connect ECONNREFUSED ${new URL(server.url).host}`;
    const told = () => problems.filter((problem) => problem.message === message).length;
    // For a moment after it was killed, a container's port takes connections and resets them.
    while (told() === 0) await nextEvent(client, "reconnecting");
    const others = problems.length - 1;
    await nextEvent(client, "reconnecting");
    expect([told(), problems.length - told()]).toStrictEqual([1, others]);
    await expect(redis.ping()).rejects.toMatchObject({ name: "RedisUnavailable", message });
    await server.restart();
    await waitUntilConnected(redis);
    expect(await runId()).toMatch(/^\w{40}$/);
    expect(await runId()).not.toBe(before);
    const closedAgain = nextEvent(client, "close");
    await server.kill();
    await closedAgain;
    while (told() === 1) await nextEvent(client, "reconnecting");
    await nextEvent(client, "reconnecting");
    expect(told()).toBe(2);
    await server.restart();
  });

  test("a command under way when the connection is lost fails, and is not sent again", async () => {
    const { redis, client } = open(server.url);
    await redis.ping();
    const waiting = client.blpop("nothing", 0);
    await server.kill();
    await expect(waiting).rejects.toThrow(/max retries|Connection is closed/);
    await server.restart();
    await waitUntilConnected(redis);
    expect(await client.client("LIST")).not.toContain("cmd=blpop");
  });

  test("is opened before Redis is there", async () => {
    await server.kill();
    const { redis } = open(server.url);
    await expect(redis.ping()).rejects.toMatchObject({ name: "RedisUnavailable" });
    await server.restart();
    await waitUntilConnected(redis);
  });

  test("neither a right nor a wrong password is told", async () => {
    const { client: admin } = open(server.url);
    await nextEvent(admin, "ready");
    await admin.config("SET", "requirepass", "r1ght");
    const wrong = open(server.url.replace("redis://", "redis://:wr0ng@"));
    const right = open(server.url.replace("redis://", "redis://:r1ght@"));
    await right.redis.ping();
    await expect(wrong.redis.ping()).rejects.toThrow(/^Redis: no connection: WRONGPASS/);
    const told = JSON.stringify(wrong.problems.map((problem) => ({ ...problem, text: `${problem.stack}` })));
    expect([wrong.problems.length > 0, /wr0ng|r1ght/.test(told), right.problems]).toStrictEqual([true, false, []]);
    await admin.config("SET", "requirepass", "");
  });

  test("tells of a server that may forget", async () => {
    const { redis, client } = open(server.url);
    await redis.ping();
    await client.config("SET", "maxmemory-policy", "allkeys-lru");
    const { redis: second, problems } = open(server.url);
    await second.ping();
    expect(problems.map((problem) => problem.message)).toStrictEqual([
      "Redis: it may evict what was written: its maxmemory-policy is allkeys-lru and must be noeviction",
    ]);
    await client.config("SET", "maxmemory-policy", "noeviction");
  });

  test("close waits for what was sent, tells nothing, and is the end", async () => {
    const { redis, client, problems, runId } = open(server.url);
    await redis.ping();
    const answer = client.incr("counted");
    await redis.close();
    expect(await answer).toBe(1);
    await expect(client.get("counted")).rejects.toThrow();
    await redis.close();
    await expect(runId()).rejects.toThrow("Redis is out of reach");
    expect([client.status, problems]).toStrictEqual(["end", []]);
  });

  test.each(["connecting", "reconnecting"])("close while Redis is away and the client is %s", async (status) => {
    await server.kill();
    const { redis, client } = open(server.url);
    while (client.status !== status) await nextEvent(client, status);
    const waiting = client.duplicate({ enableOfflineQueue: true, maxRetriesPerRequest: null });
    waiting.on("error", () => undefined);
    const answer = waiting.get("k");
    await nextEvent(waiting, status);
    await Promise.all([redis.close(), expect(answer).rejects.toThrow("Connection is closed"), endClient(waiting)]);
    expect([client.status, waiting.status]).toStrictEqual(["end", "end"]);
    await server.restart();
  });
});

describeWith(
  { server: startRedis, toxiproxy: startToxiproxy },
  "a connection to a Redis that hangs",
  ({ server, toxiproxy }) => {
    test("its commands fail, it gives the connection up, and finds a way again by itself", async () => {
      const proxy = await toxiproxy.proxy(server.url);
      const { redis, problems } = open(proxy.url);
      await redis.ping();
      await proxy.cut();
      await expect(redis.ping()).rejects.toThrow("Redis: no answer to a ping");
      expect(problems[0]?.message).toBe(
        "Redis: no connection: Socket timeout. Expecting data, but didn't receive any in 2000ms.",
      );
      await proxy.restore();
      await waitUntilConnected(redis);
    });
  },
);
