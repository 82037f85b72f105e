import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { MongoClient } from "mongodb";
import { describeWith, isUnavailable, startMongo, startRedis } from "../index.ts";
import { withDatabase } from "../mongo/with-database.ts";
import { withRedis } from "./kit/redis-client.ts";
import { requireEngine } from "./kit/require-engine.ts";

let environment: NodeJS.ProcessEnv;
beforeEach(() => {
  environment = { ...process.env };
});
afterEach(() => {
  process.env = environment;
});

describeWith({ server: startRedis.with({ killable: true }) }, "the Redis of TEST_REDIS_URL", ({ server }) => {
  beforeEach(async () => {
    await withRedis(server.url, (client) => client.flushall());
    process.env.TEST_REDIS_URL = server.url;
  });

  test("lends an empty database, and has it back empty; others are not touched", async () => {
    await withRedis(server.url, (client) => client.set("precious", "value"));
    const one = requireEngine(await startRedis());
    const other = requireEngine(await startRedis());
    expect([one.url, other.url]).toStrictEqual([`${server.url}/1`, `${server.url}/2`]);
    await withRedis(one.url, (client) => client.set("key", "value"));
    await one.stop();
    await other.stop();
    const keyspace = await withRedis(server.url, (client) => client.info("keyspace"));
    expect(keyspace.match(/db\d+:keys=\d+/g)).toStrictEqual(["db0:keys=1"]);
  });

  test("is unavailable when all of its databases are in use", async () => {
    const all = [];
    for (let number = 0; number < 16; number += 1) all.push(requireEngine(await startRedis()));
    expect(await startRedis()).toStrictEqual({
      unavailable: "redis: server of TEST_REDIS_URL: it does not answer, or has no empty database",
    });
    for (const redis of all) await redis.stop();
  });

  test("is not killed: who wants that gets another one", async () => {
    const given = requireEngine(await startRedis());
    const refusal = "the server of TEST_REDIS_URL is not ours to kill: ask for one that is { killable: true }";
    await expect(given.kill()).rejects.toThrow(new Error(refusal));
    await expect(given.restart()).rejects.toThrow(new Error(refusal));
    await given.stop();
    const own = requireEngine(await startRedis({ killable: true }));
    expect(new URL(own.url).port).not.toBe(new URL(server.url).port);
    await own.stop();
  });
});

test("a Redis that does not answer is unavailable, and its password is not told", async () => {
  process.env.TEST_REDIS_URL = "redis://user:secret@127.0.0.1:1";
  expect(await startRedis()).toStrictEqual({
    unavailable: "redis: server of TEST_REDIS_URL: it does not answer, or has no empty database",
  });
});

describeWith({ server: startMongo.with({ killable: true }) }, "the MongoDB of TEST_MONGODB_URL", ({ server }) => {
  test("lends a fresh database, which is gone in the end; others are not touched", async () => {
    process.env.TEST_MONGODB_URL = server.url;
    const client = new MongoClient(server.url);
    const before = client.db().databaseName;
    await client.db().collection("precious").insertOne({ value: 1 });
    const mongo = requireEngine(await startMongo());
    const lent = new MongoClient(mongo.url);
    const during = lent.db().databaseName;
    await lent.db().collection("things").insertOne({ value: 1 });
    await lent.close();
    const names = async () => (await client.db().admin().listDatabases()).databases.map(({ name }) => name).sort();
    expect(await names()).toStrictEqual([before, during].sort());
    await mongo.stop();
    expect(await names()).toStrictEqual([before]);
    await client.close();
  });
});

test("a url that is none is not told, for it may hold a password", async () => {
  process.env.TEST_MONGODB_URL = "http://user:secret@127.0.0.1";
  const mongo = await startMongo();
  expect(isUnavailable(mongo) ? mongo.unavailable : mongo.url).toBe(
    "mongo: server of TEST_MONGODB_URL: its address is not a mongodb:// url",
  );
});

test.each([
  ["mongodb://one", "mongodb://one/fresh"],
  ["mongodb://one:1,two:2/?replicaSet=rs0", "mongodb://one:1,two:2/fresh?replicaSet=rs0"],
  ["mongodb://user:secret@one/people", "mongodb://user:secret@one/fresh?authSource=people"],
  ["mongodb+srv://user:secret@one", "mongodb+srv://user:secret@one/fresh?authSource=admin"],
  ["mongodb://user:secret@one/people?authSource=x", "mongodb://user:secret@one/fresh?authSource=x"],
])("%s with a database of the test's own", (url, expected) => {
  expect(withDatabase(url, "fresh")).toBe(expected);
});
