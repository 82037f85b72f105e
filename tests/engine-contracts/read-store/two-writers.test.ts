import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { type MongoConnection, openMongo } from "@travel-booking/engines/mongodb";
import { type Batch, type ReadStore, ReadStoreUnavailable, type Write } from "@travel-booking/engines/read-store";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { describeWith, startMongo } from "../../engines/index.ts";
import { allDocuments, createLive, GENERATION, MODEL, put, ship } from "../mongodb/kit/documents.ts";
import { freshDatabase } from "../mongodb/kit/fresh-database.ts";
import { WireProxy } from "../mongodb/kit/wire-proxy.ts";

const KEYS = 37;
const POSITIONS = 300;

/** What a fold of the log makes of each position: it moves a document, or ends one. */
function writeAt(position: number): Write {
  const key = `k${(position * 7) % KEYS}`;
  if (position % 11 === 0) return { kind: "delete", model: MODEL, key, position: BigInt(position) };
  return put(ship(key, BigInt(position), { indexes: { all: { partition: "all", sort: `${key}/${position}` } } }));
}

/** The same log in batches of this many positions. */
function batchesOf(size: number, positions = POSITIONS): readonly Batch[] {
  return Array.from({ length: Math.ceil(positions / size) }, (_, n) => {
    const last = Math.min((n + 1) * size, positions);
    const writes = Array.from({ length: last - n * size }, (_, index) => writeAt(n * size + index + 1));
    return { ...GENERATION, writes, checkpoint: BigInt(last) };
  });
}

describeWith({ mongo: startMongo }, "two processes that write one generation", ({ mongo }) => {
  let proxy: WireProxy;
  let connections: readonly MongoConnection[];
  let one: ReadStore;
  let other: ReadStore;

  beforeEach(async () => {
    proxy = await WireProxy.start(freshDatabase(mongo.url));
    connections = [openMongo(proxy.url), openMongo(proxy.url)];
    [one, other] = connections.map(openMongoReadStore) as [ReadStore, ReadStore];
    await createLive(one);
  });
  afterEach(async () => {
    await connections[0]?.db.dropDatabase();
    for (const connection of connections) await connection.close();
    await proxy.stop();
  });

  async function writeAll(store: ReadStore, batches: readonly Batch[]): Promise<void> {
    for (const batch of batches) await store.write([batch]);
  }

  async function ofOneWriter() {
    const alone = await createLive(one, "alone");
    await one.write(
      batchesOf(POSITIONS).map((batch) => ({
        ...batch,
        ...alone,
        writes: batch.writes.map((write) => ({ ...write, model: "alone.ship" })),
      })),
    );
    return allDocuments(one, "alone.ship");
  }

  test.each([
    ["in the same batches", 20, 20],
    ["in batches of their own", 17, 50],
  ])("at once, %s, come to what one alone does", async (_, size, sizeOfOther) => {
    await Promise.all([writeAll(one, batchesOf(size)), writeAll(other, batchesOf(sizeOfOther))]);
    const documents = await allDocuments(one);
    expect(documents).toStrictEqual(await ofOneWriter());
    expect(documents.length).toBeGreaterThan(KEYS / 2);
    expect((await other.checkpoint(GENERATION)).position).toBe(BigInt(POSITIONS));
  });

  test("one after the other: what is delivered again changes nothing", async () => {
    await writeAll(one, batchesOf(50));
    const before = await allDocuments(one);
    for (const batch of batchesOf(50)) {
      await other.write([batch]);
      expect(await allDocuments(other)).toStrictEqual(before);
    }
    expect((await one.checkpoint(GENERATION)).position).toBe(BigInt(POSITIONS));
  });

  test("who has not heard that the other wrote on folds on nothing of that, until it begins again", async () => {
    await writeAll(one, batchesOf(50, 100));
    expect((await other.checkpoint(GENERATION)).position).toBe(100n);
    const key = "k1";
    const asOfThen = await other.documentsOf(GENERATION, MODEL, [key]);
    await one.write([{ ...GENERATION, checkpoint: 101n, writes: [put(ship(key, 101n))] }]);
    expect(asOfThen[0]?.position).toBeLessThan(101n);
    await expect(other.documentsOf(GENERATION, MODEL, [key])).rejects.toBeInstanceOf(ReadStoreUnavailable);
    expect((await other.checkpoint(GENERATION)).position).toBe(101n);
    const size = expect.any(Number);
    expect(await other.documentsOf(GENERATION, MODEL, [key])).toStrictEqual([{ ...ship(key, 101n), size }]);
    expect((await one.documentsOf(GENERATION, MODEL, [key]))[0]?.position).toBe(101n);
  });

  test("a batch of many documents is written whole by both", async () => {
    const many = Array.from({ length: 2_500 }, (_, n) => put(ship(`many ${n}`, 1n)));
    const batch = { ...GENERATION, writes: many, checkpoint: 1n };
    await Promise.all([one.write([batch]), other.write([batch])]);
    const keys = many.map((write) => (write.kind === "put" ? write.document.key : ""));
    const documents = await one.documentsOf(GENERATION, MODEL, keys);
    expect(documents.map((document) => document?.key)).toStrictEqual(keys);
    expect(await connections[0]?.db.collection("redo").countDocuments()).toBe(0);
  });
});
