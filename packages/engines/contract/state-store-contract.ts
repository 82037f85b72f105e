import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { StateStore } from "../src/state-store/index.ts";

/** A store under test and its cleanup; call `dispose` after `store.close()`. */
export interface OpenedStateStore {
  readonly store: StateStore;
  readonly dispose: () => Promise<void>;
}

/** Any version of a new record. */
const FIRST: unknown = expect.any(Number);

/** The contract of every engine. Tests use their own spaces: they may share a store. */
export function describeStateStore(name: string, open: () => Promise<OpenedStateStore>): void {
  describe(`state store contract: ${name}`, () => {
    let opened: OpenedStateStore;
    let store: StateStore;
    let space: string;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      space = `test-${randomUUID()}`;
    });

    afterEach(async () => {
      await store.close();
      await opened.dispose();
    });

    const known = async (key: string) => {
      const record = await store.get(space, key);
      if (record === undefined) throw new Error(`there is no record ${key}`);
      return record;
    };
    const keysOf = async (options: { after?: string; limit: number }) =>
      (await store.list(space, options)).map(({ key }) => key);

    test("a record that is not there", async () => {
      expect(await store.get(space, "k")).toBeUndefined();
    });

    test("create writes a record that is not there", async () => {
      const record = { key: "k", value: { a: 1 }, version: FIRST, expiresAt: null };
      expect(await store.create(space, "k", { a: 1 })).toStrictEqual({ created: true, record });
      expect(await store.get(space, "k")).toStrictEqual(record);
    });

    test("create answers the record that is there, and leaves it", async () => {
      const { record } = await store.create(space, "k", { a: 1 }, { expiresAt: 5 });
      expect(record.expiresAt).toBe(5);
      expect(await store.create(space, "k", { a: 2 })).toStrictEqual({ created: false, record });
      expect(await store.get(space, "k")).toStrictEqual(record);
    });

    test("of 64 creating one key at once, one does, and the others get its record", async () => {
      const results = await Promise.all(Array.from({ length: 64 }, (_, n) => store.create(space, "k", { n })));
      const winners = results.filter(({ created }) => created);
      expect(winners).toHaveLength(1);
      const record = await store.get(space, "k");
      for (const result of results) expect(result.record).toStrictEqual(record);
    });

    test("a record that a loser was answered with is there", async () => {
      const creating = store.create(space, "k", "first");
      const { record } = await store.create(space, "k", "second");
      expect(await store.get(space, "k")).toStrictEqual(record);
      await creating;
    });

    test("put writes over whatever is there, and counts the versions", async () => {
      const { version, ...first } = await store.put(space, "k", 1);
      expect(first).toStrictEqual({ key: "k", value: 1, expiresAt: null });
      const second = { key: "k", value: 2, version: version + 1, expiresAt: 9 };
      expect(await store.put(space, "k", 2, { expiresAt: 9 })).toStrictEqual(second);
      const third = { key: "k", value: 3, version: version + 2, expiresAt: null };
      expect(await store.put(space, "k", 3, { expiresAt: null })).toStrictEqual(third);
      expect(await store.get(space, "k")).toStrictEqual(third);
    });

    test("puts at once are applied one after another", async () => {
      const records = await Promise.all(Array.from({ length: 30 }, (_, n) => store.put(space, "k", n)));
      const inOrder = records.toSorted((one, other) => one.version - other.version);
      const [first] = inOrder;
      expect(inOrder.map(({ version }) => version - (first?.version ?? 0))).toStrictEqual(inOrder.map((_, n) => n));
      expect(await store.get(space, "k")).toStrictEqual(inOrder.at(-1));
    });

    test("replace writes over the version that was read", async () => {
      const { version } = await store.put(space, "k", "old");
      const replaced = { key: "k", value: "new", version: version + 1, expiresAt: 7 };
      expect(await store.replace(space, "k", version, "new", { expiresAt: 7 })).toStrictEqual(replaced);
      expect(await store.get(space, "k")).toStrictEqual(replaced);
    });

    test("replace writes nothing where the version is another one, or there is no record", async () => {
      expect(await store.replace(space, "k", 1, "new")).toBeUndefined();
      const record = await store.put(space, "k", "old");
      expect(await store.replace(space, "k", record.version - 1, "new")).toBeUndefined();
      expect(await store.replace(space, "k", record.version + 1, "new")).toBeUndefined();
      expect(await store.get(space, "k")).toStrictEqual(record);
    });

    test("of 64 replacing one version at once, one does", async () => {
      const { version } = await store.put(space, "k", -1);
      const results = await Promise.all(Array.from({ length: 64 }, (_, n) => store.replace(space, "k", version, n)));
      const winners = results.filter((result) => result !== undefined);
      expect(winners).toHaveLength(1);
      expect(await store.get(space, "k")).toStrictEqual(winners[0]);
    });

    test("a counter that everybody raises by replace and retry loses nothing", async () => {
      await store.put(space, "counter", 0);
      const raise = async () => {
        for (;;) {
          const record = await store.get<number>(space, "counter");
          if (record && (await store.replace(space, "counter", record.version, record.value + 1))) return;
        }
      };
      await Promise.all(Array.from({ length: 16 }, raise));
      expect((await store.get(space, "counter"))?.value).toBe(16);
    });

    test("remove forgets a record, and is content where there is none", async () => {
      await store.put(space, "k", 1);
      await store.remove(space, "k");
      expect(await store.get(space, "k")).toBeUndefined();
      await store.remove(space, "k");
      expect(await store.create(space, "k", 2)).toStrictEqual({
        created: true,
        record: { key: "k", value: 2, version: FIRST, expiresAt: null },
      });
    });

    test("a record that is made anew is not the one that was read before, though it was written as often", async () => {
      const read = await store.put(space, "k", "read");
      let record = read;
      // Versions begin with a timestamp and a random number: within a millisecond they collide once in 4,096.
      while (record.version === read.version) {
        await store.remove(space, "k");
        ({ record } = await store.create(space, "k", "new"));
      }
      expect(await store.replace(space, "k", read.version, "over it")).toBeUndefined();
      expect(await store.removeIfVersion(space, "k", read.version)).toBe(false);
      expect(await store.get(space, "k")).toStrictEqual(record);
    });

    test("removeVersion forgets the version that was read, and no other", async () => {
      expect(await store.removeIfVersion(space, "k", 1)).toBe(false);
      const { version: old } = await store.put(space, "k", "old", { expiresAt: 5 });
      const { version } = await store.put(space, "k", "new");
      expect(await store.removeIfVersion(space, "k", old)).toBe(false);
      expect(await store.removeIfVersion(space, "k", version + 1)).toBe(false);
      expect((await store.get(space, "k"))?.value).toBe("new");
      expect(await store.removeIfVersion(space, "k", version)).toBe(true);
      expect(await store.get(space, "k")).toBeUndefined();
      expect(await store.removeIfVersion(space, "k", version)).toBe(false);
    });

    test("of those who remove and replace one version at once, one succeeds", async () => {
      const { version } = await store.put(space, "k", "old");
      const results = await Promise.all([
        ...Array.from({ length: 16 }, () => store.removeIfVersion(space, "k", version)),
        ...Array.from({ length: 16 }, async (_, n) => (await store.replace(space, "k", version, n)) !== undefined),
      ]);
      expect(results.filter(Boolean)).toHaveLength(1);
      const isRemoved = results.slice(0, 16).includes(true);
      expect((await store.get(space, "k")) === undefined).toBe(isRemoved);
    });

    test("writes at once take effect in the order they were called", async () => {
      const [created, , recreated, , last] = await Promise.all([
        store.create(space, "k", 1),
        store.remove(space, "k"),
        store.create(space, "k", 2),
        store.create(space, "other", 3),
        store.put(space, "k", 4),
      ]);
      const next = recreated.record.version + 1;
      expect([created.created, recreated.created, last.version]).toStrictEqual([true, true, next]);
      expect((await store.get(space, "k"))?.value).toBe(4);
    });

    test("list gives the records of one space, in the order of their keys", async () => {
      for (const key of ["b", "a", "c", "a1", "B", "a-", "é"]) await store.put(space, key, { key });
      await store.put(`${space}-other`, "a", 1);
      await store.put(space.slice(0, -1), "a", 1);
      expect(await store.list(space, { limit: 100 })).toStrictEqual(
        ["B", "a", "a-", "a1", "b", "c", "é"].map((key) => ({ key, value: { key }, version: FIRST, expiresAt: null })),
      );
    });

    test("list gives pages", async () => {
      for (const key of ["a", "b", "c", "d", "e"]) await store.put(space, key, 1);
      expect(await keysOf({ limit: 2 })).toStrictEqual(["a", "b"]);
      expect(await keysOf({ limit: 2, after: "b" })).toStrictEqual(["c", "d"]);
      expect(await keysOf({ limit: 2, after: "d" })).toStrictEqual(["e"]);
      expect(await keysOf({ limit: 2, after: "bb" })).toStrictEqual(["c", "d"]);
      expect(await keysOf({ limit: 2, after: "e" })).toStrictEqual([]);
      expect(await store.list(`${space}-empty`, { limit: 5 })).toStrictEqual([]);
    });

    test("removeExpired forgets what has passed, and only that", async () => {
      await store.put(space, "past", 1, { expiresAt: 1_000 });
      await store.put(space, "now", 1, { expiresAt: 2_000 });
      await store.put(space, "later", 1, { expiresAt: 2_001 });
      await store.put(space, "never", 1);
      expect((await store.get(space, "past"))?.value).toBe(1);
      expect(await store.removeExpired(2_000, 100)).toBe(2);
      expect(await keysOf({ limit: 10 })).toStrictEqual(["later", "never"]);
      expect(await store.removeExpired(2_000, 100)).toBe(0);
    });

    test("removeExpired goes by the last write", async () => {
      await store.put(space, "longer", 1, { expiresAt: 1_000 });
      await store.put(space, "longer", 2, { expiresAt: 3_000 });
      await store.put(space, "for ever", 1, { expiresAt: 1_000 });
      await store.put(space, "for ever", 2);
      const { record } = await store.create(space, "shorter", 1, { expiresAt: 3_000 });
      await store.replace(space, "shorter", record.version, 2, { expiresAt: 500 });
      await store.put(space, "removed", 1, { expiresAt: 600 });
      await store.remove(space, "removed");
      expect(await store.removeExpired(1_000, 100)).toBe(1);
      expect(await keysOf({ limit: 10 })).toStrictEqual(["for ever", "longer"]);
    });

    test("removeExpired stops at its limit", async () => {
      for (let n = 0; n < 5; n++) await store.put(space, `k${n}`, n, { expiresAt: 100 + n });
      expect(await store.removeExpired(1_000, 3)).toBe(3);
      expect(await store.removeExpired(1_000, 3)).toBe(2);
      expect(await keysOf({ limit: 10 })).toStrictEqual([]);
    });

    test.each([
      ["null", null],
      ["text", "Zoë 🚀 \u0000"],
      ["free keys", JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3,"$gt":"","a.b":[]}')],
      ["numbers", [0, -1, 2 ** 53, 0.1, 1e-300]],
      ["nested", { list: [[], {}, [{ a: [null, true] }]] }],
      ["900 kB", { text: "ä".repeat(450_000) }],
    ])("%s comes back as it was", async (_, value) => {
      await store.put(space, "k", value);
      expect((await store.get(space, "k"))?.value).toStrictEqual(value);
    });

    test("a record of eight megabytes", async () => {
      const text = "0123456789abcdef".repeat(2 ** 19);
      await store.put(space, "k", { text });
      expect((await known("k")).value).toStrictEqual({ text });
    });

    test("keys of any text", async () => {
      for (const key of ["", " ", "a/b", "宇宙", "🚀", "x".repeat(500)]) {
        await store.put(space, key, { key });
        expect((await store.get(space, key))?.value).toStrictEqual({ key });
      }
    });

    test("what is stored is not changed by what a caller does to its own objects", async () => {
      const value = { list: [1] };
      const putting = store.put(space, "k", value);
      value.list.push(2);
      (await putting).value.list.push(3);
      const read = await store.get<typeof value>(space, "k");
      read?.value.list.push(4);
      expect((await store.get(space, "k"))?.value).toStrictEqual({ list: [1] });
    });

    test("closing finishes what was accepted, and refuses what comes after", async () => {
      const accepted = Array.from({ length: 10 }, (_, n) => store.create(space, `k${n}`, n));
      await store.close();
      for (const { created } of await Promise.all(accepted)) expect(created).toBe(true);
      await expect(store.put(space, "k", 1)).rejects.toMatchObject({ name: "StateStoreUnavailable" });
    });
  });
}
