import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as immediate } from "node:timers/promises";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { describeStateStore } from "../../contract/state-store-contract.ts";
import { DamagedStore, type Environment, openEnvironment } from "../../src/lmdb/index.ts";
import { openStateDatabases, recordKey } from "../../src/state-store/lmdb/databases.ts";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "../../src/state-store/lmdb/lmdb-state-store.ts";
import { encodeRecord } from "../../src/state-store/lmdb/state-record.ts";
import { KeyedMutex } from "../../src/state-store/mongodb/keyed-mutex.ts";
import { InMemoryStateStore } from "../../testing/state-store.ts";

describeStateStore("LMDB", async () => {
  const folder = mkdtempSync(join(tmpdir(), "state-store-"));
  const environment = openEnvironment({ path: folder, maxDbs: LMDB_STATE_STORE_DATABASES });
  const onFatal = (error: Error) => {
    throw error;
  };
  return {
    store: openLmdbStateStore(environment, { onFatal }),
    async dispose() {
      await environment.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
});

describeStateStore("in memory", async () => ({ store: new InMemoryStateStore(), dispose: async () => {} }));

describeStateStore("in memory, over another one", async () => {
  const below = new InMemoryStateStore();
  await below.put("elsewhere", "a", 1);
  return { store: new InMemoryStateStore(below), dispose: async () => {} };
});

test("a store over another one shows its records and its own changes, and leaves the other as it is", async () => {
  const below = new InMemoryStateStore();
  for (const key of ["a", "b", "c", "d"]) await below.put("s", key, key);
  const before = await below.list("s", { limit: 10 });
  const store = new InMemoryStateStore(below);
  expect(await store.get("s", "a")).toStrictEqual(before[0]);
  expect(await store.create("s", "a", "new")).toStrictEqual({ created: false, record: before[0] });
  await store.remove("s", "b");
  const changed = await store.replace("s", "c", before[2]?.version ?? 0, "C");
  const added = await store.put("s", "bb", "BB");
  expect(await store.get("s", "b")).toBeUndefined();
  expect(await store.removeIfVersion("s", "d", before[3]?.version ?? 0)).toBe(true);
  expect(await store.list("s", { limit: 10 })).toStrictEqual([before[0], added, changed]);
  expect(await store.list("s", { after: "a", limit: 1 })).toStrictEqual([added]);
  expect(await below.list("s", { limit: 10 })).toStrictEqual(before);
});

class Gone extends Error {}

function turns(): KeyedMutex {
  return new KeyedMutex((error) => error instanceof Gone);
}

test("work on one key is done in the order of the calls, on different keys at once", async () => {
  const queue = turns();
  const done: string[] = [];
  const work = (key: string, name: string) =>
    queue.run(key, async () => {
      await immediate();
      done.push(name);
    });
  await Promise.all([work("a", "a1"), work("a", "a2"), work("b", "b1"), work("a", "a3"), work("b", "b2")]);
  expect(done).toStrictEqual(["a1", "b1", "a2", "b2", "a3"]);
});

test("a failure that ends the queue fails what waits behind it, and not what comes later", async () => {
  const queue = turns();
  let runs = 0;
  const gone = queue.run("a", () => Promise.reject(new Gone()));
  const behind = [1, 2].map(() => queue.run("a", async () => ++runs));
  const other = queue.run("b", async () => "other");
  await Promise.all([gone, ...behind].map((failed) => expect(failed).rejects.toBeInstanceOf(Gone)));
  expect(await other).toBe("other");
  expect(await queue.run("a", async () => ++runs)).toBe(1);
});

test("any other failure is its own", async () => {
  const queue = turns();
  const failed = queue.run("a", () => Promise.reject(new TypeError("mine")));
  const behind = queue.run("a", async () => "done");
  await expect(failed).rejects.toThrow("mine");
  expect(await behind).toBe("done");
});

test("finished waits for all that was called before", async () => {
  const queue = turns();
  const done: string[] = [];
  const work = queue.run("a", async () => {
    await immediate();
    done.push("a");
  });
  await queue.drained();
  expect(done).toStrictEqual(["a"]);
  await work;
});

describe("state on LMDB", () => {
  let path: string;
  let environment: Environment;
  const onFatal = (error: Error) => {
    throw error;
  };

  beforeEach(() => {
    path = mkdtempSync(join(tmpdir(), "state-store-"));
    environment = openEnvironment({ path, maxDbs: 2 * LMDB_STATE_STORE_DATABASES });
  });

  afterEach(async () => {
    await environment.close();
    rmSync(path, { recursive: true, force: true });
  });

  async function reopen(): Promise<void> {
    await environment.close();
    environment = openEnvironment({ path, maxDbs: 2 * LMDB_STATE_STORE_DATABASES });
  }

  test("everything is there when the store is opened again", async () => {
    const first = openLmdbStateStore(environment, { onFatal });
    await first.create("s", "a", 1);
    const { version } = await first.put("s", "a", 2, { expiresAt: 1_000 });
    await first.put("s", "b", 3);
    await first.close();
    await reopen();
    const second = openLmdbStateStore(environment, { onFatal });
    expect(await second.get("s", "a")).toStrictEqual({ key: "a", value: 2, version, expiresAt: 1_000 });
    expect((await second.create("s", "b", 4)).created).toBe(false);
    expect(await second.replace("s", "a", version, 5, { expiresAt: 2_000 })).toMatchObject({ version: version + 1 });
    expect(await second.removeExpired(1_500, 10)).toBe(0);
    expect(await second.removeExpired(2_000, 10)).toBe(1);
    await second.close();
  });

  test("a key that is too long is refused", async () => {
    const store = openLmdbStateStore(environment, { onFatal });
    for (const length of [601, 5_000, 100_000]) {
      await expect(store.put("s", "k".repeat(length), 1)).rejects.toThrow();
    }
    await store.put("s", "宇".repeat(600), 1);
    expect((await store.list("s", { limit: 5 })).map(({ key }) => key.length)).toStrictEqual([600]);
    await store.close();
  });

  test.each([1_000, 100_000])("of %d records, those asked for are read, and no others", async (count) => {
    const { records, expiry } = openStateDatabases(environment);
    await environment.root.batch(() => {
      for (let n = 0; n < count; n++) {
        const key = `key-${n}`;
        void records.put(recordKey("s", key), encodeRecord(n, 1, n).bytes);
        void expiry.put([n, "s", key], Buffer.from([0]));
      }
    });
    const store = openLmdbStateStore(environment, { onFatal });
    const databases = Object.getPrototypeOf(environment.root);
    const gets = jest.spyOn(databases, "getBinaryFast");
    const ranges = jest.spyOn(databases, "getRange");
    expect(await store.removeExpired(count, 120)).toBe(120);
    expect(await store.removeExpired(119, 120)).toBe(0);
    expect(await store.list("s", { after: "key-5", limit: 7 })).toHaveLength(7);
    expect(gets).toHaveBeenCalledTimes(120);
    const limits = ranges.mock.calls.map(([options]) => (options as { limit: number }).limit);
    expect(limits).toStrictEqual([50, 50, 20, 50, 7]);
    jest.restoreAllMocks();
    await store.close();
  });

  test("a record that was written again while it was flushed is read as it is stored", async () => {
    const store = openLmdbStateStore(environment, { onFatal });
    await store.put("s", "k", 0);
    const seen: number[] = [];
    const writes = Array.from({ length: 200 }, async (_, n) => {
      await store.put("s", "k", n + 1, n % 2 === 0 ? { expiresAt: n } : {});
      seen.push((await store.get<number>("s", "k"))?.value ?? -1);
      if (n % 10 === 0) await immediate();
    });
    await Promise.all(writes);
    expect(seen.every((value, n) => value > n)).toBe(true);
    expect((await store.get("s", "k"))?.value).toBe(200);
    await store.close();
  });

  test("a record of a form that is not known is never given", async () => {
    const records = environment.root.openDB<Buffer, [string, string]>({ name: "state-records", encoding: "binary" });
    const withChecksum = (content: Buffer) => {
      const checksum = Buffer.alloc(4);
      checksum.writeUInt32LE(crc32(content));
      return Buffer.concat([checksum, content]);
    };
    await records.put(["s", "a"], withChecksum(Buffer.from([9, 0, 0])));
    await records.put(["s", "b"], withChecksum(Buffer.alloc(0)));
    const store = openLmdbStateStore(environment, { onFatal });
    await expect(store.get("s", "a")).rejects.toBeInstanceOf(DamagedStore);
    await expect(store.put("s", "b", 1)).rejects.toBeInstanceOf(DamagedStore);
    await store.close();
  });

  test("a record that is not what was written is never given", async () => {
    const first = openLmdbStateStore(environment, { onFatal });
    await first.put("s", "damaged", "a-needle-in-the-state");
    await first.put("s", "whole", "straw");
    await first.close();
    await environment.close();
    const bytes = readFileSync(join(path, "data.mdb"));
    for (let at = bytes.indexOf("a-needle"); at >= 0; at = bytes.indexOf("a-needle", at + 1)) bytes[at]! ^= 0x01;
    writeFileSync(join(path, "data.mdb"), bytes);
    environment = openEnvironment({ path, maxDbs: 2 * LMDB_STATE_STORE_DATABASES });
    const second = openLmdbStateStore(environment, { onFatal });
    await expect(second.get("s", "damaged")).rejects.toBeInstanceOf(DamagedStore);
    await expect(second.list("s", { limit: 5 })).rejects.toBeInstanceOf(DamagedStore);
    expect((await second.get("s", "whole"))?.value).toBe("straw");
    await second.close();
  });
});

test("a record that stays in memory keeps no more than its own bytes", () => {
  const { bytes } = encodeRecord({ small: true }, 1, null);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});
