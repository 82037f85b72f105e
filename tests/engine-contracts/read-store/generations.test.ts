import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import {
  GenerationInUse,
  parseBody,
  type ReadModels,
  type ReadStore,
  ReadStoreUnavailable,
  UnknownGeneration,
} from "@travel-booking/engines/read-store";
import {
  GenerationSuperseded,
  openMongoReadModels,
  openMongoReadStore,
} from "@travel-booking/engines/read-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { createLive, GENERATION, LISTED, MODEL, put, ship } from "../mongodb/kit/documents.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { WireProxy } from "../mongodb/kit/wire-proxy.ts";

describeWith({ mongo: startMongo }, "generations in MongoDB", ({ mongo }) => {
  let proxy: WireProxy;
  let connection: MongoConnection;
  let writer: ReadStore;
  let readers: readonly ReadModels[];

  beforeEach(async () => {
    proxy = await WireProxy.start(freshDatabase(mongo.url));
    connection = openMongo(proxy.url);
    writer = openMongoReadStore(connection);
    readers = Array.from({ length: 3 }, () => openMongoReadModels(connection));
    await createLive(writer);
  });
  afterEach(async () => {
    await connection.db.dropDatabase();
    await connection.close();
    await proxy.stop();
  });

  const generation = (number: number) => ({ ...GENERATION, generation: number });

  const write = (number: number) => {
    const writes = [put(ship("a", BigInt(number), { body: JSON.stringify({ number }) }))];
    return writer.write([{ ...generation(number), checkpoint: BigInt(number), writes }]);
  };

  async function build(number: number): Promise<void> {
    expect(await writer.create("ships", 1)).toStrictEqual(generation(number));
    await write(number);
  }

  test("releases that counted the ids of generations find one to go on behind", async () => {
    await writer.create("ships", 1);
    const record = await connection.db.collection("projections").findOne();
    expect(record?.last).toBe(record?.generations[2].id);
    expect(Number.isSafeInteger(record?.last)).toBe(true);
  });

  test("readers never find nothing, and never go back, while generations replace each other and are dropped", async () => {
    await write(1);
    let isDone = false;
    const reading = readers.map(async (models) => {
      let latest = 0;
      let changes = 0;
      while (!isDone) {
        const body = await models.body(MODEL, "a");
        const [item] = await models.page(MODEL, LISTED);
        expect([body, item]).not.toContain(undefined);
        for (const found of [body, item]) {
          const { number } = parseBody<{ number: number }>(found!);
          expect(number).toBeGreaterThanOrEqual(latest);
          if (number > latest) changes++;
          latest = number;
        }
      }
      return changes;
    });
    for (let number = 2; number <= 12; number++) {
      await build(number);
      await writer.switchLive(generation(number));
      // At once, as if those still reading it had been asleep for longer than they are given.
      await writer.drop(generation(number - 1));
    }
    isDone = true;
    for (const changes of await Promise.all(reading)) expect(changes).toBeGreaterThan(1);
  });

  test("a generation of another version is not read, before a switch to this version and after one to another", async () => {
    const models = openMongoReadModels(connection, { ships: 2 });
    for (const version of [1, 2, 3]) {
      await writer.create("ships", version);
      const writes = [put(ship("a", 1n, { body: String(version) }))];
      await writer.write([{ ...generation(version + 1), checkpoint: 1n, writes }]);
      await writer.switchLive(generation(version + 1));
      await writer.drop(generation(version));
      if (version === 2) models.refresh();
      const reads = [models.body(MODEL, "a"), models.document(MODEL, "a"), models.page(MODEL, LISTED)];
      const isRead = version === 2;
      // All at once: a rejection that nobody waits for yet fails the test.
      await Promise.all(
        reads.map((read) =>
          isRead ? expect(read).resolves.toBeDefined() : expect(read).rejects.toBeInstanceOf(ReadStoreUnavailable),
        ),
      );
    }
  });

  test("a reader that has not heard of a switch hears of it in time", async () => {
    await write(1);
    const [models] = readers;
    expect(parseBody((await models!.body(MODEL, "a"))!)).toStrictEqual({ number: 1 });
    await build(2);
    await writer.switchLive(generation(2));
    const numbers = async () => parseBody<{ number: number }>((await models!.body(MODEL, "a"))!).number;
    while ((await numbers()) === 1) await setTimeout(20);
    expect(await numbers()).toBe(2);
  });

  test("nobody switches back to a generation that was made earlier", async () => {
    await build(2);
    await build(3);
    await writer.switchLive(generation(3));
    await expect(writer.switchLive(generation(2))).rejects.toBeInstanceOf(GenerationSuperseded);
    await writer.switchLive(generation(3));
    expect((await writer.generations("ships")).filter((one) => one.live)).toStrictEqual([
      { generation: 3, version: 1, live: true },
    ]);
  });

  test("nobody switches back to a generation of an older version, though it was made later", async () => {
    for (const version of [2, 1]) await writer.create("ships", version);
    await writer.switchLive(generation(2));
    await expect(writer.switchLive(generation(3))).rejects.toBeInstanceOf(GenerationSuperseded);
  });

  test("of a switch to a generation and the end of it at once, one happens", async () => {
    for (let number = 2; number <= 9; number++) {
      await build(number);
      const [switched, dropped] = await Promise.allSettled([
        openMongoReadStore(connection).switchLive(generation(number)),
        openMongoReadStore(connection).drop(generation(number)),
      ]);
      const isLive = (await writer.generations("ships")).find((one) => one.generation === number)?.live ?? false;
      expect([switched.status, dropped.status].sort()).toStrictEqual(["fulfilled", "rejected"]);
      expect(isLive).toBe(switched.status === "fulfilled");
      if (switched.status === "rejected") expect(switched.reason).toBeInstanceOf(UnknownGeneration);
      if (dropped.status === "rejected") expect(dropped.reason).toBeInstanceOf(GenerationInUse);
    }
  });

  test("no number is given again: who still builds a dropped generation writes nothing into the next", async () => {
    const lost = openMongoReadStore(connection);
    const given = await lost.create("ships", 1);
    await writer.drop(given);
    const next = await writer.create("ships", 1);
    expect([given, next]).toStrictEqual([generation(2), generation(3)]);
    const late = { ...given, checkpoint: 9n, writes: [put(ship("a", 9n))] };
    await expect(lost.write([late])).rejects.toBeInstanceOf(UnknownGeneration);
    expect(await writer.documentsOf(next, MODEL, ["a"])).toStrictEqual([undefined]);
  });

  test("a record of a release that noted no highest number goes on above what it has", async () => {
    const records = connection.db.collection("projections");
    await records.updateOne({}, { $unset: { highest: "" } });
    expect(await writer.create("ships", 1)).toStrictEqual(generation(2));
    expect(await writer.create("ships", 1)).toStrictEqual(generation(3));
  });

  test("collections that an older record, restored, knows nothing of are not written into", async () => {
    await build(2);
    const records = connection.db.collection<{ readonly _id: string }>("projections");
    await records.updateOne({ _id: "ships" }, { $unset: { "generations.2": "", highest: "" } });
    const restored = openMongoReadStore(connection);
    expect(await restored.create("ships", 1)).toStrictEqual(generation(2));
    expect(await restored.documentsOf(generation(2), MODEL, ["a"])).toStrictEqual([undefined]);
  });

  test("several processes that make generations at once make one each", async () => {
    const stores = Array.from({ length: 4 }, () => openMongoReadStore(connection));
    const made = await Promise.all(stores.map((store) => store.create("new", 7)));
    expect(made.map((one) => one.generation).sort()).toStrictEqual([1, 2, 3, 4]);
    expect(await writer.generations("new")).toStrictEqual(
      [1, 2, 3, 4].map((number) => ({ generation: number, version: 7, live: false })),
    );
  });

  test("a drop that was given up is listed until another ends it", async () => {
    await build(2);
    const stop = new AbortController();
    stop.abort();
    await writer.drop(generation(2), stop.signal);
    expect((await writer.generations("ships")).map((one) => one.generation)).toStrictEqual([1, 2]);
    await expect(writer.switchLive(generation(2))).rejects.toBeInstanceOf(UnknownGeneration);
    await expect(
      writer.write([{ ...generation(2), checkpoint: 9n, writes: [put(ship("b", 9n))] }]),
    ).rejects.toBeInstanceOf(UnknownGeneration);
    await writer.drop(generation(2));
    expect((await writer.generations("ships")).map((one) => one.generation)).toStrictEqual([1]);
  });

  test("what is dropped leaves no collection behind", async () => {
    await build(2);
    await writer.drop(generation(2));
    const names = (await connection.db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    expect(names.filter((name) => name.includes("@")).sort()).toStrictEqual([]);
  });
});
