import fs from "node:fs";
import { crc32 } from "node:zlib";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { RootDatabase } from "lmdb";
import { withChecksum } from "../../src/lmdb/index.ts";
import { GenerationInUse, type ReadStore } from "../../src/read-store/index.ts";
import { openLmdbReadModels, openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot, temporaryFolder } from "../../testing/read-store.ts";

const FORMER = { projection: "ships", generation: 3 };
const NEXT = { projection: "ships", generation: 4 };
const ID = Buffer.from([0, 0, 0, 7]);
const LIST = { index: "all", partition: "p", order: "ascending", limit: 9 } as const;

const named = (name: string) => Buffer.concat([Buffer.from([name.length]), Buffer.from(name)]);
const keyOf = (key: string) => Buffer.concat([ID, named("ships.ship"), Buffer.from(key)]);

function record(body: string | null, state: string | null, staleAt: number): Buffer {
  const indexes = JSON.stringify({ all: { partition: "p", sort: "s" } });
  const head = Buffer.alloc(33);
  head[0] = state === null ? 1 : 0;
  head.writeBigUInt64BE(9n, 1);
  head.writeBigUInt64BE(5n, 9);
  head.writeDoubleBE(staleAt, 17);
  head.writeUInt32BE(body === null ? 0xffffffff : Buffer.byteLength(body), 25);
  head.writeUInt32BE(indexes.length, 29);
  const content = Buffer.concat([head, Buffer.from(`${body ?? ""}${indexes}${state ?? ""}`)]);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(content));
  return Buffer.concat([checksum, content]);
}

/** What the release before left: two ships in a live generation, one of them with a state of its own. */
async function writeFormer(root: RootDatabase<unknown, string>): Promise<void> {
  const bytes = { encoding: "binary", keyEncoding: "binary" } as const;
  const [documents, states, rows] = ["documents", "states", "rows"].map((name) =>
    root.openDB<Buffer, Buffer>({ name, ...bytes }),
  );
  await documents?.put(keyOf("a"), record('"é"', "[1]", 77));
  await documents?.put(keyOf("b"), record(null, null, Number.NaN));
  await states?.put(keyOf("b"), withChecksum(Buffer.from('{"long":true}')));
  for (const key of ["a", "b"]) {
    const row = Buffer.concat([ID, named("ships.ship"), named("all"), Buffer.from(`\0\x01ps${key}`)]);
    await rows?.put(row, Buffer.from(key));
  }
  const generations = root.openDB<unknown, [string, number]>({ name: "generations", encoding: "json" });
  await generations.put(["ships", 3], { id: 7, version: 2, checkpoint: "9" });
  await generations.put(["ports", 1], { id: 8, version: 1, checkpoint: "8" });
  const live = root.openDB<Buffer, string>({ name: "live", encoding: "binary" });
  await live.put("ships", Buffer.from([...ID, 0, 0, 0, 3]));
  await live.put("ports", Buffer.from([0, 0, 0, 8, 0, 0, 0, 1]));
}

let folder: string;
let root: RootDatabase<unknown, string>;
let store: ReadStore;
beforeEach(async () => {
  folder = temporaryFolder();
  root = openRoot(folder);
  await writeFormer(root);
  await reopen();
});
afterEach(async () => {
  await root.close();
  fs.rmSync(folder, { recursive: true });
});

async function reopen(): Promise<void> {
  await root.close();
  root = openRoot(folder);
  store = openLmdbReadStore(root);
}

test("what the release before wrote answers, as an outdated version, until it is built anew", async () => {
  expect(await store.generations("ships")).toStrictEqual([{ generation: 3, version: 0, live: true }]);
  expect(await store.checkpoint(FORMER)).toBe(9n);
  const entry = { all: { partition: "p", sort: "s" } };
  const [a, b] = [
    { key: "a", position: 9n, created: 5n, body: '"é"', state: [1], indexes: entry, staleAt: 77 },
    { key: "b", position: 9n, created: 5n, body: null, state: { long: true }, indexes: entry, staleAt: null },
  ];
  for (const models of [store, openLmdbReadModels(root)]) {
    expect(await models.body("ships.ship", "a")).toStrictEqual({ json: '"é"', staleAt: 77 });
    expect(await models.body("ships.ship", "b")).toBeUndefined();
    expect([await models.document("ships.ship", "a"), await models.document("ships.ship", "b")]).toStrictEqual([a, b]);
    expect(await models.page("ships.ship", LIST)).toStrictEqual([
      { key: "a", sort: "sa", json: '"é"', staleAt: 77 },
      { key: "b", sort: "sb", json: "", staleAt: null },
    ]);
  }
  await expect(store.drop(FORMER)).rejects.toBeInstanceOf(GenerationInUse);
});

test("built anew it goes, and with the last of it all of its databases", async () => {
  const document = { key: "c", position: 9n, created: 9n, body: "1", state: null, indexes: {}, staleAt: null };
  await store.create(NEXT, 5);
  await store.write([{ ...NEXT, checkpoint: 9n, writes: [{ kind: "put", model: "ships.ship", document }] }]);
  expect((await store.body("ships.ship", "a"))?.json).toBe('"é"');
  await store.switchLive(NEXT);
  store.refresh();
  expect([await store.body("ships.ship", "a"), (await store.body("ships.ship", "c"))?.json]).toStrictEqual([
    undefined,
    "1",
  ]);
  expect(await store.generations("ships")).toStrictEqual([
    { generation: 3, version: 0, live: false },
    { generation: 4, version: 5, live: true },
  ]);
  await store.drop(FORMER);
  expect(await store.generations("ships")).toStrictEqual([{ generation: 4, version: 5, live: true }]);
  await reopen();
  expect(await store.generations("ports")).toStrictEqual([{ generation: 1, version: 0, live: true }]);
  const ports = { projection: "ports", generation: 2 };
  await store.create(ports, 1);
  await store.switchLive(ports);
  await store.drop({ ...ports, generation: 1 });
  await reopen();
  const names = [...root.getKeys({})];
  expect(names.filter((name) => !name.startsWith("2/"))).toStrictEqual([]);
  expect((await store.body("ships.ship", "c"))?.json).toBe("1");
});
