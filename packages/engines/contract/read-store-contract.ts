import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type {
  Body,
  CountRequest,
  Document,
  Generation,
  IndexEntry,
  PageRequest,
  ReadStore,
  Write,
} from "../src/read-store/index.ts";
import {
  GenerationInUse,
  MAX_FOLDED_CHARACTERS,
  MAX_PAGE_CHARACTERS,
  pagesOf,
  UnknownGeneration,
  UnstorableKey,
} from "../src/read-store/index.ts";

export interface OpenedReadStore {
  readonly store: ReadStore;
  /** Reopens the same data, as after a restart; closes the previous store. */
  reopen(): Promise<ReadStore>;
  close(): Promise<void>;
}

const FIRST: Generation = { projection: "ships", generation: 1 };
const SECOND: Generation = { projection: "ships", generation: 2 };
const MODEL = "ships.ship";
const LONG = "k".repeat(5_000);

export function ship(key: string, position: bigint, more: Partial<Document> = {}): Document {
  return {
    key,
    position,
    created: 1n,
    body: JSON.stringify({ key, position: String(position) }),
    state: { key, list: [1, null, { deep: "é\u0000" }] },
    indexes: {},
    staleAt: null,
    ...more,
  };
}

export function put(document: Document, model = MODEL): Write {
  return { kind: "put", model, document };
}

/** Without what an engine tells of a document that it has read. */
function asWritten(document: Document | undefined): Document | undefined {
  const { size: _, ...written } = document ?? {};
  return document && (written as Document);
}

function text(body: Body | undefined): string | undefined {
  return body?.json;
}

/** The contract of every engine of the read store. `open` starts with an empty store. */
export function describeReadStore(name: string, open: () => Promise<OpenedReadStore>): void {
  describe(`read store: ${name}`, () => {
    let opened: OpenedReadStore;
    let store: ReadStore;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      await store.create("ships", 1);
      await store.switchLive(FIRST);
    });
    afterEach(() => opened.close());

    async function write(checkpoint: bigint, ...writes: readonly Write[]): Promise<void> {
      await store.write([{ ...FIRST, checkpoint, writes }]);
      store.refresh();
    }

    async function bodyOf(key: string, from: ReadStore = store): Promise<unknown> {
      const json = text(await from.body(MODEL, key));
      return json === undefined ? undefined : JSON.parse(json);
    }

    async function documentOf(key: string): Promise<Document | undefined> {
      return asWritten(await store.document(MODEL, key));
    }

    async function sorts(request: Partial<PageRequest>): Promise<readonly string[]> {
      const items = await store.page(MODEL, {
        index: "byName",
        partition: "p",
        order: "ascending",
        limit: 100,
        ...request,
      });
      return items.map(({ sort }) => sort);
    }

    describe("documents", () => {
      test("what was put is read back as it was", async () => {
        const entry: IndexEntry = { partition: "p", sort: "s" };
        const document = ship("a", 1n, { staleAt: 1_700_000_000_123, indexes: { byName: entry } });
        await write(1n, put(document));
        expect(await documentOf("a")).toStrictEqual(document);
        const body = await store.body(MODEL, "a");
        expect([text(body), body?.staleAt]).toStrictEqual([document.body, 1_700_000_000_123]);
      });

      test("a body stays as it was while others are read", async () => {
        await write(2n, put(ship("a", 1n)), put(ship("b", 2n)));
        const first = await store.body(MODEL, "a");
        await store.body(MODEL, "b");
        expect(text(first)).toBe(ship("a", 1n).body);
      });

      test("long bodies and long states come back whole, also when they shrink and grow", async () => {
        for (const [index, size] of [10, 200_000, 3_000, 10, 70_000].entries()) {
          const position = BigInt(index + 1);
          const document = ship("a", position, { body: JSON.stringify("é".repeat(size)), state: ["x".repeat(size)] });
          await write(position, put(document));
          expect(await documentOf("a")).toStrictEqual(document);
          expect(await bodyOf("a")).toBe("é".repeat(size));
        }
      });

      test("a document without a body is found by `document`, not by `body`", async () => {
        await write(1n, put(ship("a", 1n, { body: null })));
        expect(await store.body(MODEL, "a")).toBeUndefined();
        expect((await store.document(MODEL, "a"))?.body).toBeNull();
      });

      test.each([null, 0, "", false, [], { nested: { empty: {} } }])("state %j", async (state) => {
        await write(1n, put(ship("a", 1n, { state })));
        expect((await store.document(MODEL, "a"))?.state).toStrictEqual(state);
      });

      test("what is not there is undefined: key, model, projection, name without a projection", async () => {
        await write(1n, put(ship("a", 1n)));
        for (const [model, key] of [
          [MODEL, "b"],
          ["ships.other", "a"],
          ["none.ship", "a"],
          ["ships", "a"],
        ] as const) {
          expect(await store.body(model, key)).toBeUndefined();
          expect(await store.document(model, key)).toBeUndefined();
        }
      });

      test("models of one projection do not see each other", async () => {
        await write(1n, put(ship("a", 1n)), put(ship("a", 1n, { body: '"other"' }), "ships.shipping"));
        expect(await bodyOf("a")).toStrictEqual({ key: "a", position: "1" });
      });

      test("keys of any characters are told apart", async () => {
        const longest = "k".repeat(1_900);
        const keys = ["a", "a\u0001", "a\u0001b", "é", "e\u0301", "\ud83d\ude80", "\uffff", "__proto__", longest];
        await write(1n, ...keys.map((key) => put(ship(key, 1n))));
        for (const key of keys) expect((await store.document(MODEL, key))?.key).toBe(key);
      });

      test.each([LONG, "", "a\u0000b", "\ud83d"])(
        "%j is not found, and refused as a key with all of its batch",
        async (key) => {
          expect(await store.body(MODEL, key)).toBeUndefined();
          expect(await store.document(MODEL, key)).toBeUndefined();
          expect(await store.documentsOf(FIRST, MODEL, [key])).toStrictEqual([undefined]);
          expect(await sorts({ partition: key })).toStrictEqual([]);
          expect(await store.count(MODEL, { index: "byName", partition: key, limit: 9 })).toBe(0);
          await expect(write(1n, put(ship("a", 1n)), put(ship(key, 1n)))).rejects.toBeInstanceOf(UnstorableKey);
          expect(await store.document(MODEL, "a")).toBeUndefined();
          expect((await store.checkpoint(FIRST)).position).toBe(0n);
        },
      );
    });

    describe("positions", () => {
      test.each([4n, 5n])("a put at position %s over one at 5 changes nothing", async (position) => {
        await write(5n, put(ship("a", 5n)));
        await write(5n, put(ship("a", position, { body: '"late"' })));
        expect(await bodyOf("a")).toStrictEqual({ key: "a", position: "5" });
      });

      test("a deleted document is gone, and a late writer revives nothing", async () => {
        await write(3n, put(ship("a", 3n, { indexes: { byName: { partition: "p", sort: "s" } } })));
        await write(5n, { kind: "delete", model: MODEL, key: "a", position: 5n });
        await write(5n, put(ship("a", 3n)), put(ship("a", 5n)));
        expect(await store.document(MODEL, "a")).toBeUndefined();
        expect(await sorts({})).toStrictEqual([]);
      });

      test("a put behind the delete in its batch makes the document anew", async () => {
        await write(4n, put(ship("a", 4n, { indexes: { byName: { partition: "p", sort: "4" } } })));
        const anew = put(ship("a", 6n, { indexes: { byName: { partition: "p", sort: "6" } } }));
        await write(6n, { kind: "delete", model: MODEL, key: "a", position: 5n }, anew);
        expect([await bodyOf("a"), await sorts({})]).toStrictEqual([{ key: "a", position: "6" }, ["6"]]);
      });

      test("a late delete removes nothing", async () => {
        await write(5n, put(ship("a", 5n)));
        await write(5n, { kind: "delete", model: MODEL, key: "a", position: 4n });
        expect(await bodyOf("a")).toStrictEqual({ key: "a", position: "5" });
      });

      test("deleting what is not there is fine", async () => {
        await write(2n, { kind: "delete", model: MODEL, key: "a", position: 1n }, put(ship("b", 2n)));
        expect(await bodyOf("b")).toStrictEqual({ key: "b", position: "2" });
      });

      test("the whole batch again changes nothing", async () => {
        const writes = [
          put(ship("a", 3n, { indexes: { byName: { partition: "p", sort: "3" } } })),
          { kind: "delete", model: MODEL, key: "b", position: 2n } as const,
        ];
        await write(3n, ...writes);
        const before = [await store.document(MODEL, "a"), await sorts({})];
        await write(3n, ...writes);
        expect([await store.document(MODEL, "a"), await sorts({})]).toStrictEqual(before);
        expect(before[1]).toStrictEqual(["3"]);
      });
    });

    describe("fixed indexes", () => {
      const entry = (sort: string) => ({ byName: { partition: "p", sort } });
      const fixed = (key: string, position: bigint, created: bigint, more: Partial<Document> = {}): Write => {
        const document = ship(key, position, { created, indexes: entry(key), ...more });
        return { kind: "put", model: MODEL, document, fixedIndexes: true };
      };
      const gone = (key: string, position: bigint, created: bigint, sort = key): Write => {
        return { kind: "delete", model: MODEL, key, position, fixed: { created, indexes: entry(sort) } };
      };
      const read = async (key: string) => {
        const { indexes, ...rest } = (await documentOf(key)) ?? {};
        return rest;
      };

      test("a document stays in its lists through later puts, and is read back as it was put", async () => {
        await write(1n, fixed("a", 1n, 1n));
        await write(3n, fixed("a", 3n, 1n, { staleAt: 7 }), fixed("b", 3n, 3n));
        expect(await sorts({})).toStrictEqual(["a", "b"]);
        const { indexes, ...rest } = ship("a", 3n, { created: 1n, staleAt: 7 });
        expect(await read("a")).toStrictEqual(rest);
      });

      test.each(["short", "long".repeat(2_000)])("a state may become %.5s and short again", async (text) => {
        for (const [position, state] of [[1n, "x"] as const, [2n, text] as const, [3n, "y"] as const]) {
          await write(position, fixed("a", position, 1n, { state }));
          expect(await read("a")).toMatchObject({ position, state });
        }
        await write(4n, gone("a", 4n, 1n), fixed("b", 4n, 4n));
        expect(await store.document(MODEL, "a")).toBeUndefined();
      });

      test("a deleted document is in no list; made anew it has its new places", async () => {
        await write(1n, fixed("a", 1n, 1n), fixed("b", 1n, 1n));
        await write(2n, gone("a", 2n, 1n));
        expect([await sorts({}), await store.document(MODEL, "a")]).toStrictEqual([["b"], undefined]);
        await write(4n, fixed("a", 4n, 4n, { indexes: entry("z") }), gone("b", 3n, 1n), fixed("b", 4n, 4n));
        expect(await sorts({})).toStrictEqual(["b", "z"]);
        await write(6n, gone("a", 5n, 4n, "z"), fixed("a", 6n, 6n, { indexes: entry("c") }));
        expect(await sorts({})).toStrictEqual(["b", "c"]);
        expect(await bodyOf("a")).toStrictEqual({ key: "a", position: "6" });
      });

      test("one event may delete a document and make it anew at another place", async () => {
        await write(1n, fixed("a", 1n, 1n));
        await write(2n, gone("a", 2n, 1n), fixed("a", 2n, 2n, { indexes: entry("z") }));
        expect([await sorts({}), await bodyOf("a")]).toStrictEqual([["z"], { key: "a", position: "2" }]);
      });

      test("the delete of a document that was made in the same batch leaves nothing", async () => {
        await write(5n, gone("a", 5n, 3n));
        expect([await sorts({}), await store.document(MODEL, "a")]).toStrictEqual([[], undefined]);
      });

      test("the whole batch again changes nothing", async () => {
        const writes = [fixed("a", 2n, 1n), gone("b", 2n, 1n), fixed("c", 1n, 1n)];
        await write(2n, ...writes);
        await write(3n, gone("c", 3n, 1n));
        await write(2n, ...writes);
        expect(await sorts({})).toStrictEqual(["a"]);
        expect(await store.document(MODEL, "c")).toBeUndefined();
      });

      test("are per generation: a rebuild writes them all", async () => {
        await write(1n, fixed("a", 1n, 1n));
        await store.create("ships", 2);
        await store.write([{ ...SECOND, checkpoint: 3n, writes: [fixed("a", 3n, 1n)] }]);
        await store.switchLive(SECOND);
        store.refresh();
        expect(await sorts({})).toStrictEqual(["a"]);
      });

      test("a place too long to be stored is refused, with all of its batch", async () => {
        const bad = fixed("b", 1n, 1n, { indexes: entry(LONG) });
        await expect(write(1n, fixed("a", 1n, 1n), bad)).rejects.toBeInstanceOf(UnstorableKey);
        await expect(write(1n, fixed(LONG, 1n, 1n))).rejects.toBeInstanceOf(UnstorableKey);
        expect([await sorts({}), (await store.checkpoint(FIRST)).position]).toStrictEqual([[], 0n]);
      });
    });

    describe("checkpoints", () => {
      test("start before the first event and only advance", async () => {
        expect((await store.checkpoint(FIRST)).position).toBe(0n);
        await write(7n);
        await write(3n);
        expect((await store.checkpoint(FIRST)).position).toBe(7n);
        await write(2n ** 60n);
        expect((await store.checkpoint(FIRST)).position).toBe(2n ** 60n);
      });

      test("name the event there, if they are told", async () => {
        expect(await store.checkpoint(FIRST)).toStrictEqual({ position: 0n, id: null });
        await store.write([{ ...FIRST, checkpoint: 3n, checkpointEvent: "third", writes: [] }]);
        expect(await store.checkpoint(FIRST)).toStrictEqual({ position: 3n, id: "third" });
        await store.write([{ ...FIRST, checkpoint: 4n, checkpointEvent: "fourth", writes: [put(ship("a", 4n))] }]);
        await store.write([{ ...FIRST, checkpoint: 2n, checkpointEvent: "second", writes: [] }]);
        expect(await store.checkpoint(FIRST)).toStrictEqual({ position: 4n, id: "fourth" });
        await store.write([{ ...FIRST, checkpoint: 5n, writes: [] }]);
        expect(await store.checkpoint(FIRST)).toStrictEqual({ position: 5n, id: null });
      });

      test("several projections are written at once, each with its own", async () => {
        const other = await store.create("ports", 1);
        await store.switchLive(other);
        await store.write([
          { ...FIRST, checkpoint: 4n, writes: [put(ship("a", 4n))] },
          { ...other, checkpoint: 6n, writes: [put(ship("a", 5n), "ports.port")] },
        ]);
        store.refresh();
        expect([(await store.checkpoint(FIRST)).position, (await store.checkpoint(other)).position]).toStrictEqual([
          4n,
          6n,
        ]);
        expect((await store.document("ports.port", "a"))?.position).toBe(5n);
      });

      test("everything is there after a restart", async () => {
        await write(4n, put(ship("a", 4n, { indexes: { byName: { partition: "p", sort: "s" } } })));
        store = await opened.reopen();
        expect(await bodyOf("a")).toStrictEqual({ key: "a", position: "4" });
        expect(await sorts({})).toStrictEqual(["s"]);
        expect((await store.checkpoint(FIRST)).position).toBe(4n);
        expect(await store.generations("ships")).toStrictEqual([{ generation: 1, version: 1, live: true }]);
      });
    });

    describe("lists", () => {
      const at = (key: string, sort: string, partition = "p", position = 1n) =>
        put(ship(key, position, { indexes: { byName: { partition, sort } } }));

      beforeEach(() => write(1n, ...["c", "a", "e", "b", "d"].map((key) => at(key, key)), at("x", "x", "other")));

      test.each<[string, Partial<PageRequest>, string]>([
        ["all ascending", {}, "abcde"],
        ["all descending", { order: "descending" }, "edcba"],
        ["limit", { limit: 2 }, "ab"],
        ["limit descending", { limit: 2, order: "descending" }, "ed"],
        ["after", { after: "b" }, "cde"],
        ["after descending", { after: "d", order: "descending" }, "cba"],
        ["after what is not there", { after: "bb" }, "cde"],
        ["after what is not there, descending", { after: "bb", order: "descending" }, "ba"],
        ["from", { from: "c" }, "cde"],
        ["from descending", { from: "c", order: "descending" }, "edc"],
        ["before", { before: "c" }, "ab"],
        ["before descending", { before: "c", order: "descending" }, "ba"],
        ["from and before", { from: "b", before: "d" }, "bc"],
        ["from and before, descending", { from: "b", before: "d", order: "descending" }, "cb"],
        ["after and from", { after: "c", from: "b" }, "de"],
        ["after below from", { after: "a", from: "c" }, "cde"],
        ["after equal to from", { after: "c", from: "c" }, "de"],
        ["after and before, descending", { after: "e", before: "c", order: "descending" }, "ba"],
        ["after below before, descending", { after: "b", before: "d", order: "descending" }, "a"],
        ["after and from, descending", { after: "d", from: "b", order: "descending" }, "cb"],
        ["an empty range", { from: "d", before: "b" }, ""],
        ["an empty range descending", { from: "d", before: "b", order: "descending" }, ""],
        ["after the last", { after: "e" }, ""],
        ["after the first, descending", { after: "a", order: "descending" }, ""],
        ["another partition", { partition: "other" }, "x"],
        ["a partition that starts like one", { partition: "o" }, ""],
        ["no such partition", { partition: "none" }, ""],
        ["no such index", { index: "byNam" }, ""],
        ["a partition too long to be stored", { partition: LONG }, ""],
        ["a bound too long to be stored", { after: `b${LONG}` }, "cde"],
        ["a bound too long to be stored, descending", { after: `b${LONG}`, order: "descending" }, "ba"],
        ["from too long to be stored", { from: `b${LONG}`, before: `d${LONG}` }, "cd"],
      ])("%s", async (_, request, expected) => {
        expect(await sorts(request)).toStrictEqual([...expected]);
      });

      test.each<[string, Partial<CountRequest>, number]>([
        ["all", {}, 5],
        ["up to the limit", { limit: 3 }, 3],
        ["as many as the limit", { limit: 5 }, 5],
        ["from", { from: "c" }, 3],
        ["from what is not there", { from: "bb" }, 3],
        ["from the first", { from: "a" }, 5],
        ["from the last", { from: "e" }, 1],
        ["from above the last", { from: "f" }, 0],
        ["from, up to the limit", { from: "b", limit: 2 }, 2],
        ["from too long to be stored", { from: `b${LONG}` }, 3],
        ["of another partition", { partition: "other" }, 1],
        ["of no partition", { partition: "none" }, 0],
        ["of no index", { index: "byNam" }, 0],
        ["of a partition too long to be stored", { partition: LONG }, 0],
      ])("a count: %s", async (_, request, expected) => {
        const count = { index: "byName", partition: "p", limit: 100, ...request };
        expect(await store.count(MODEL, count)).toBe(expected);
        expect(await store.count("ships.harbour", count)).toBe(0);
      });

      test("a count follows what is deleted, moved and written anew", async () => {
        const count = (from?: string) =>
          store.count(MODEL, { index: "byName", partition: "p", limit: 100, ...(from !== undefined && { from }) });
        await write(2n, { kind: "delete", model: MODEL, key: "b", position: 2n }, at("c", "c", "other", 2n));
        expect([await count(), await count("b")]).toStrictEqual([3, 2]);
        await write(3n, at("c", "c", "p", 3n), at("d", "d2", "p", 3n));
        expect([await count(), await count("d")]).toStrictEqual([4, 2]);
      });

      test("a page ends once its bodies are large, says so, and goes on behind it", async () => {
        const body = JSON.stringify("x".repeat(MAX_PAGE_CHARACTERS / 3));
        const large = (key: string) =>
          put(ship(key, 2n, { body, indexes: { byName: { partition: "large", sort: key } } }));
        await write(2n, ...["v", "w", "x", "y", "z"].map(large));
        const request: PageRequest = { index: "byName", partition: "large", order: "descending", limit: 100 };
        const pages = await Array.fromAsync(pagesOf(store, MODEL, request));
        expect(pages.map((page) => page.map(({ key, more }) => [key, more]))).toStrictEqual([
          [
            ["z", undefined],
            ["y", undefined],
            ["x", true],
          ],
          [
            ["w", undefined],
            ["v", undefined],
          ],
        ]);
        expect((await store.document(MODEL, "v"))?.size).toBeGreaterThan(MAX_PAGE_CHARACTERS / 3);
      });

      test("an unknown model is an empty list", async () => {
        const request: PageRequest = { index: "byName", partition: "p", order: "ascending", limit: 1 };
        expect(await store.page("none.ship", request)).toStrictEqual([]);
        expect(await store.page("ships", request)).toStrictEqual([]);
      });

      test("an item carries key, place, body and when it goes stale", async () => {
        const document = ship("k/é", 1n, {
          staleAt: 9,
          indexes: { byName: { partition: "q", sort: "s\ud83d\ude80" } },
        });
        await write(2n, put({ ...document, position: 2n }));
        const [item] = await store.page(MODEL, { index: "byName", partition: "q", order: "ascending", limit: 5 });
        expect([item?.key, item?.sort, item?.staleAt]).toStrictEqual(["k/é", "s\ud83d\ude80", 9]);
        expect(text(item)).toBe(document.body);
      });

      test("are ordered by code point, whatever the characters", async () => {
        const names = [
          "",
          "\u0001",
          "\u0001\u0001",
          "a",
          "a\u0001",
          "aa",
          "~",
          "\u007f",
          "é",
          "\u07ff",
          "\ue000",
          "\ufffd",
          "\uffff",
          "\ud83d\ude80",
        ];
        await write(2n, ...[...names].reverse().map((name) => at(`key ${name}`, name, "names\u0001", 2n)));
        expect(await sorts({ partition: "names\u0001" })).toStrictEqual(names);
        expect(await sorts({ partition: "names\u0001", order: "descending", after: "a" })).toStrictEqual([
          "\u0001\u0001",
          "\u0001",
          "",
        ]);
        expect(await sorts({ partition: "names" })).toStrictEqual([]);
      });

      test("a document that moves leaves its old place", async () => {
        await write(2n, at("c", "z", "p", 2n), at("a", "a", "other", 2n));
        expect(await sorts({})).toStrictEqual(["b", "d", "e", "z"]);
        expect(await sorts({ partition: "other" })).toStrictEqual(["a", "x"]);
      });

      test("a document leaves a list, and an index, for good", async () => {
        await write(2n, put(ship("a", 2n)), put(ship("b", 2n, { indexes: { byAge: { partition: "p", sort: "1" } } })));
        expect(await sorts({})).toStrictEqual(["c", "d", "e"]);
        expect(await sorts({ index: "byAge" })).toStrictEqual(["1"]);
      });

      test("two documents that swap places both stay listed", async () => {
        await write(2n, at("a", "b", "p", 2n), at("b", "a", "p", 2n));
        const items = await store.page(MODEL, { index: "byName", partition: "p", order: "ascending", limit: 2 });
        expect(items.map(({ key, sort }) => [key, sort])).toStrictEqual([
          ["b", "a"],
          ["a", "b"],
        ]);
      });

      test("a write that comes late moves nothing", async () => {
        await write(1n, at("a", "zzz", "p", 1n));
        expect(await sorts({})).toStrictEqual(["a", "b", "c", "d", "e"]);
      });

      test("a place too long to be stored is refused, with all of its batch", async () => {
        await expect(write(2n, at("a", "moved", "p", 2n), at("new", LONG, "p", 2n))).rejects.toBeInstanceOf(
          UnstorableKey,
        );
        await expect(write(2n, at("new", "s", LONG, 2n))).rejects.toBeInstanceOf(UnstorableKey);
        expect(await sorts({})).toStrictEqual(["a", "b", "c", "d", "e"]);
        expect((await store.checkpoint(FIRST)).position).toBe(1n);
      });
    });

    test("of large documents those of the first keys are read, one at least", async () => {
      const body = JSON.stringify("x".repeat(MAX_FOLDED_CHARACTERS));
      await write(1n, put(ship("large", 1n, { body })), put(ship("larger", 1n, { body })), put(ship("small", 1n)));
      const keysOf = async (...keys: string[]) => (await store.documentsOf(FIRST, MODEL, keys)).map((one) => one?.key);
      expect(await keysOf("larger", "large", "small")).toStrictEqual(["larger"]);
      expect(await keysOf("large")).toStrictEqual(["large"]);
      expect(await keysOf("none", "small")).toStrictEqual([undefined, "small"]);
    });

    describe("generations", () => {
      test("reads see the live one only, until the switch, and then the other only", async () => {
        const listed = { indexes: { byName: { partition: "p", sort: "s" } } };
        await write(1n, put(ship("a", 1n, listed)));
        await store.create("ships", 2);
        await store.write([{ ...SECOND, checkpoint: 2n, writes: [put(ship("b", 2n, listed))] }]);
        store.refresh();
        expect([await bodyOf("a"), await bodyOf("b")]).toStrictEqual([{ key: "a", position: "1" }, undefined]);
        const ofSecond = await store.documentsOf(SECOND, MODEL, ["b", "a"]);
        expect(ofSecond.map(asWritten)).toStrictEqual([ship("b", 2n, listed), undefined]);
        const ofFirst = await store.documentsOf(FIRST, MODEL, [LONG, "a"]);
        expect(ofFirst.map(asWritten)).toStrictEqual([undefined, ship("a", 1n, listed)]);
        await store.switchLive(SECOND);
        store.refresh();
        expect([await bodyOf("a"), await bodyOf("b")]).toStrictEqual([undefined, { key: "b", position: "2" }]);
        const page = await store.page(MODEL, { index: "byName", partition: "p", order: "ascending", limit: 9 });
        expect(page.map(({ key }) => key)).toStrictEqual(["b"]);
        expect([(await store.checkpoint(FIRST)).position, (await store.checkpoint(SECOND)).position]).toStrictEqual([
          1n,
          2n,
        ]);
      });

      test("are listed with their versions", async () => {
        await store.create("ships", 7);
        await store.create("shipsother", 1);
        expect(await store.generations("ships")).toStrictEqual([
          { generation: 1, version: 1, live: true },
          { generation: 2, version: 7, live: false },
        ]);
        expect(await store.generations("ship")).toStrictEqual([]);
      });

      test("a new one is above all others, and empty", async () => {
        await write(3n, put(ship("a", 3n)));
        expect(await store.create("ships", 9)).toStrictEqual(SECOND);
        expect((await store.checkpoint(FIRST)).position).toBe(3n);
        expect((await store.checkpoint(SECOND)).position).toBe(0n);
        expect(await store.create("ships", 9)).toStrictEqual({ projection: "ships", generation: 3 });
      });

      test("a dropped one is gone for good, and the live one is untouched", async () => {
        const listed = (index: number) => ({ indexes: { byName: { partition: "p", sort: String(index) } } });
        await store.create("ships", 1);
        const many = Array.from({ length: 4_500 }, (_, index) => put(ship(`key ${index}`, 1n, listed(index))));
        await store.write([
          { ...FIRST, checkpoint: 1n, writes: many },
          { ...SECOND, checkpoint: 1n, writes: many.slice(0, 3) },
        ]);
        await store.switchLive(SECOND);
        await store.drop(FIRST);
        store.refresh();
        expect(await store.generations("ships")).toStrictEqual([{ generation: 2, version: 1, live: true }]);
        expect(await sorts({})).toStrictEqual(["0", "1", "2"]);
        const third = await store.create("ships", 1);
        expect(await store.documentsOf(third, MODEL, ["key 1"])).toStrictEqual([undefined]);
        expect((await store.checkpoint(third)).position).toBe(0n);
        await store.switchLive(third);
        store.refresh();
        expect(await bodyOf("key 1")).toBeUndefined();
        expect(await sorts({})).toStrictEqual([]);
      });

      test("the live one can't be dropped; one that is not there need not be", async () => {
        await expect(store.drop(FIRST)).rejects.toBeInstanceOf(GenerationInUse);
        await expect(store.drop(SECOND)).resolves.toBeUndefined();
      });

      test("one that was never made can't be used", async () => {
        await expect(store.checkpoint(SECOND)).rejects.toBeInstanceOf(UnknownGeneration);
        await expect(store.switchLive(SECOND)).rejects.toBeInstanceOf(UnknownGeneration);
        await expect(store.documentsOf(SECOND, MODEL, ["a"])).rejects.toBeInstanceOf(UnknownGeneration);
        const batches = [
          { ...FIRST, checkpoint: 1n, writes: [put(ship("a", 1n))] },
          { ...SECOND, checkpoint: 1n, writes: [] },
        ];
        await expect(store.write(batches)).rejects.toBeInstanceOf(UnknownGeneration);
        expect((await store.checkpoint(FIRST)).position).toBe(0n);
      });
    });
  });
}
