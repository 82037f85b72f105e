import { expect, test } from "@jest/globals";
import { MongoClient } from "mongodb";
import { describeWith, startMongo } from "../index.ts";
import { requireEngine } from "./kit/require-engine.ts";
import { isListening, remainingTraces, tracesOf } from "./kit/traces.ts";

interface Thing {
  readonly _id: string;
  readonly value: number;
}

async function withMongo<Result>(url: string, use: (client: MongoClient) => Promise<Result>): Promise<Result> {
  const client = new MongoClient(url);
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

const things = (client: MongoClient) => client.db().collection<Thing>("things");

describeWith({ mongo: startMongo.with({ killable: true }) }, "mongo", ({ mongo }) => {
  test("answers its client, in a fresh database", async () => {
    await withMongo(mongo.url, async (client) => {
      expect(await client.db().collections()).toStrictEqual([]);
      await things(client).insertOne({ _id: "one", value: 1 });
      expect(await things(client).findOne({ _id: "one" })).toStrictEqual({ _id: "one", value: 1 });
    });
  });

  test("is gone once killed, and has its data at the same url once restarted", async () => {
    const { url } = mongo;
    await withMongo(url, (client) => things(client).insertOne({ _id: "kept", value: 2 }));
    await mongo.kill();
    expect(await isListening(Number(new URL(url).port))).toBe(false);
    await mongo.restart();
    expect(mongo.url).toBe(url);
    expect(await withMongo(url, (client) => things(client).findOne({ _id: "kept" }))).toStrictEqual({
      _id: "kept",
      value: 2,
    });
  });

  test("has nothing to do with another one, of which nothing is left once it is stopped", async () => {
    const other = requireEngine(await startMongo({ killable: true }));
    expect(other.url).not.toBe(mongo.url);
    await withMongo(other.url, (client) => things(client).insertOne({ _id: "other", value: 3 }));
    expect(await withMongo(mongo.url, (client) => things(client).findOne({ _id: "other" }))).toBeNull();
    const traces = tracesOf(other.url);
    await other.kill();
    await other.stop();
    expect(await remainingTraces(traces)).toStrictEqual([]);
  });
});

describeWith({ mongo: startMongo.with({ ownStorage: true }) }, "mongo with a storage of its own", ({ mongo }) => {
  test("fails while its storage is down, and has its data when that is back", async () => {
    await withMongo(mongo.url, async (client) => {
      await things(client).insertOne({ _id: "kept", value: 1 });
      await mongo.storage?.kill();
      await expect(things(client).findOne({ _id: "kept" })).rejects.toThrow();
      await mongo.storage?.restart();
    });
    await expectEventually(mongo.url, { _id: "kept", value: 1 });
  });

  test("leaves nothing, also when it is stopped after its storage was killed", async () => {
    const other = requireEngine(await startMongo({ ownStorage: true }));
    const traces = tracesOf(other.url);
    await other.storage?.kill();
    await other.stop();
    expect(await remainingTraces(traces)).toStrictEqual([]);
  });
});

/** The first commands after the restart may still meet a connection of before it. */
async function expectEventually(url: string, thing: Thing): Promise<void> {
  await withMongo(url, async (client) => {
    for (let tries = 0; tries < 50; tries += 1) {
      const found = await things(client)
        .findOne({ _id: thing._id })
        .catch(() => null);
      if (found === null) continue;
      expect(found).toStrictEqual(thing);
      return;
    }
    throw new Error("it does not answer");
  });
}
