import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { ReadStoreUnavailable } from "@travel-booking/engines/read-store";
import { openMongoReadModels, openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { StateStoreUnavailable } from "@travel-booking/engines/state-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { allDocuments, createLive, GENERATION, MODEL, put, ship } from "../mongodb/kit/documents.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";

describeWith({ mongo: startMongo.with({ killable: true }) }, "a server killed in the middle of it", ({ mongo }) => {
  let connection: MongoConnection;

  beforeEach(() => {
    connection = openMongo(freshDatabase(mongo.url));
  });
  afterEach(() => connection.close());

  test("writes fail as unavailable, and afterwards all of it is written, with nothing opened anew", async () => {
    const store = openMongoReadStore(connection);
    await createLive(store);
    const shipsAt = (position: number) =>
      Array.from({ length: 20 }, (_, n) => ship(`k${n + (position % 3)}`, BigInt(position)));
    const batchAt = (position: number) => ({
      ...GENERATION,
      checkpoint: BigInt(position),
      writes: shipsAt(position).map((document) => put(document)),
    });
    const failures: unknown[] = [];
    const last = 40;
    let killed: Promise<void> | undefined;
    for (let position = 1; position <= last; ) {
      if (position === 10) killed ??= mongo.kill();
      try {
        await store.write([batchAt(position)]);
        position++;
      } catch (error) {
        failures.push(error);
        await killed;
        if (failures.length === 1) await mongo.restart();
        // As a projector does after a failure.
        position = await store.checkpoint(GENERATION).then(
          (checkpoint) => Number(checkpoint.position) + 1,
          () => position,
        );
      }
    }
    expect(failures.length).toBeGreaterThan(0);
    for (const failure of failures) expect(failure).toBeInstanceOf(ReadStoreUnavailable);
    const expected = new Map(
      Array.from({ length: last }, (_, n) => shipsAt(n + 1))
        .flat()
        .map((document) => [document.key, document]),
    );
    const documents = await allDocuments(openMongoReadModels(connection));
    expect(documents).toStrictEqual([...expected.keys()].sort().map((key) => expected.get(key)));
  });

  test("while it is gone everything says so, and when it is back everything works", async () => {
    const store = openMongoReadStore(connection);
    const state = openMongoStateStore(connection);
    await createLive(store);
    await store.write([{ ...GENERATION, checkpoint: 1n, writes: [put(ship("a", 1n))] }]);
    const { version } = await state.put("s", "k", 1);
    await mongo.kill();
    const failures = await Promise.allSettled([
      store.write([{ ...GENERATION, checkpoint: 2n, writes: [put(ship("a", 2n))] }]),
      store.body(MODEL, "a"),
      store.documentsOf(GENERATION, MODEL, ["a"]),
      store.checkpoint(GENERATION),
      store.generations("ships"),
      store.create("ships", 1),
      store.drop({ ...GENERATION, generation: 3 }),
    ]);
    for (const failure of failures) {
      expect(failure).toMatchObject({ status: "rejected", reason: expect.any(ReadStoreUnavailable) });
    }
    const stateFailures = await Promise.allSettled([
      state.get("s", "k"),
      state.create("s", "l", 1),
      state.put("s", "k", 2),
      state.remove("s", "m"),
      state.list("s", { limit: 1 }),
      state.removeExpired(1, 1),
    ]);
    for (const failure of stateFailures) {
      expect(failure).toMatchObject({ status: "rejected", reason: expect.any(StateStoreUnavailable) });
    }
    await mongo.restart();
    expect((await store.document(MODEL, "a"))?.position).toBe(1n);
    await store.write([{ ...GENERATION, checkpoint: 2n, writes: [put(ship("a", 2n))] }]);
    expect((await store.document(MODEL, "a"))?.position).toBe(2n);
    expect(await state.put("s", "k", 3)).toMatchObject({ version: version + 1 });
    await connection.ping();
  });
});
