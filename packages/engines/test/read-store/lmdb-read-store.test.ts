import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import type { RootDatabase } from "lmdb";
import { describeReadStore } from "../../contract/read-store-contract.ts";
import { DamagedStore } from "../../src/lmdb/index.ts";
import { ReadStoreUnavailable, type Write } from "../../src/read-store/index.ts";
import { openLmdbReadModels, openLmdbReadStore } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot, temporaryFolder } from "../../testing/read-store.ts";

describeReadStore("lmdb", async () => {
  const folder = temporaryFolder();
  let root = openRoot(folder);
  return {
    store: openLmdbReadStore(root),
    async reopen() {
      await root.close();
      root = openRoot(folder);
      return openLmdbReadStore(root);
    },
    async close() {
      await root.close();
      fs.rmSync(folder, { recursive: true });
    },
  };
});

const GENERATION = { projection: "p", generation: 1 };
const BODY = '{"name":"a-needle-in-the-haystack"}';

async function stored(folder: string, state: unknown): Promise<void> {
  const root = openRoot(folder);
  const store = openLmdbReadStore(root);
  await store.switchLive(await store.create("p", 1));
  const document = { key: "k", position: 1n, created: 1n, body: BODY, state, indexes: {}, staleAt: null };
  await store.write([{ ...GENERATION, checkpoint: 1n, writes: [{ kind: "put", model: "p.m", document }] }]);
  await root.close();
}

function flip(folder: string, text: string): void {
  const file = path.join(folder, "data.mdb");
  const bytes = fs.readFileSync(file);
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) bytes[at + 3]! ^= 0x01;
  fs.writeFileSync(file, bytes);
}

test.each([
  ["a body", null, "a-needle"],
  ["a state", { long: "s".repeat(3_000), needle: "in-the-state" }, "in-the-state"],
])("%s that is not what was written is never read as if it were", async (_, state, text) => {
  const folder = temporaryFolder();
  await stored(folder, state);
  flip(folder, text);
  const root = openRoot(folder);
  const store = openLmdbReadStore(root);
  await expect(store.document("p.m", "k")).rejects.toBeInstanceOf(DamagedStore);
  if (state === null) await expect(store.body("p.m", "k")).rejects.toBeInstanceOf(DamagedStore);
  await root.close();
  fs.rmSync(folder, { recursive: true });
});

test("dropping a generation takes as many steps with 100,000 documents as with 1,000", async () => {
  const steps: number[][] = [];
  for (const count of [1_000, 100_000]) {
    const folder = temporaryFolder();
    const root = openRoot(folder);
    const store = openLmdbReadStore(root);
    await store.create("p", 1);
    for (let start = 1; start <= count; start += 10_000) {
      const last = Math.min(start + 9_999, count);
      const writes = Array.from({ length: last - start + 1 }, (_, offset): Write => {
        const [key, position] = [`k${start + offset}`, BigInt(start + offset)];
        const indexes = { byKey: { partition: "p", sort: key } };
        const document = { key, position, created: position, body: null, state: null, indexes, staleAt: null };
        return { kind: "put", model: "p.m", document, fixedIndexes: true };
      });
      await store.write([{ ...GENERATION, checkpoint: BigInt(last), writes }]);
    }
    const prototype = Object.getPrototypeOf(root) as typeof root;
    const spies = [jest.spyOn(root, "childTransaction"), jest.spyOn(prototype, "removeSync")];
    await store.drop(GENERATION);
    steps.push(spies.map((spy) => spy.mock.calls.length));
    jest.restoreAllMocks();
    await store.create("p", 2);
    expect(await store.documentsOf(GENERATION, "p.m", ["k1", `k${count}`])).toStrictEqual([undefined, undefined]);
    await root.close();
    fs.rmSync(folder, { recursive: true });
  }
  expect(steps[1]).toStrictEqual(steps[0]);
}, 60_000);

describe("another thread", () => {
  let folder: string;
  let worker: Worker;
  let root: RootDatabase<unknown, string> | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(async () => {
    await root?.close();
    fs.rmSync(folder, { recursive: true });
  });

  test("a thread that only reads sees each write of another thread as soon as it is notified", async () => {
    worker = new Worker(new URL("./writing-thread.ts", import.meta.url), { workerData: folder });
    await once(worker, "message");
    root = openRoot(folder, true);
    const models = openLmdbReadModels(root);
    expect(await models.body("ships.ship", "a")).toBeUndefined();
    for (let count = 1; count <= 50; count++) {
      const read = new Promise<string>((resolve, reject) => {
        worker.once("message", () => {
          models.refresh();
          models.body("ships.ship", "a").then((body) => resolve(body?.json ?? ""), reject);
        });
      });
      worker.postMessage("write");
      // Something is read in every turn, so that the snapshot of the turn is too old when the notification comes.
      const reading = setInterval(() => void models.body("ships.ship", "a"));
      expect(await read).toBe(String(count));
      clearInterval(reading);
    }
    worker.postMessage("switch");
    await once(worker, "message");
    models.refresh();
    expect(await models.body("ships.ship", "a")).toBeUndefined();
    worker.postMessage("reuse");
    await once(worker, "message");
    models.refresh();
    expect(await models.body("ships.ship", "a")).toBeUndefined();
    expect((await models.body("ships.ship", "b"))?.json).toBe('"of generation 2"');
    worker.postMessage("stop");
    await once(worker, "exit");
  });

  test("a generation of another version is not read, before a switch to this version and after one to another", async () => {
    root = openRoot(folder);
    const store = openLmdbReadStore(root);
    const models = openLmdbReadModels(root, { p: 2 });
    const all = () => [
      models.body("p.m", "k"),
      models.document("p.m", "k"),
      models.page("p.m", { index: "all", partition: "all", order: "ascending", limit: 1 }),
    ];
    const refused = () => Promise.all(all().map((read) => expect(read).rejects.toBeInstanceOf(ReadStoreUnavailable)));
    await refused();
    for (const version of [1, 2, 3]) {
      const generation = await store.create("p", version);
      const document = { key: "k", position: 1n, created: 1n, body: BODY, state: null, indexes: {}, staleAt: null };
      await store.write([{ ...generation, checkpoint: 1n, writes: [{ kind: "put", model: "p.m", document }] }]);
      await store.switchLive(generation);
      models.refresh();
      if (version === 2)
        expect((await Promise.all(all())).slice(0, 2)).toStrictEqual([
          { json: BODY, staleAt: null, size: BODY.length },
          { ...document, size: expect.any(Number) },
        ]);
      else await refused();
    }
  });

  test("what an earlier release left in another format is removed", async () => {
    root = openRoot(folder);
    await root.openDB<string, string>({ name: "2/documents/0" }).put("k", "v");
    openLmdbReadStore(root);
    expect([...root.getKeys()].map(String).filter((name) => !name.startsWith("5/"))).toStrictEqual([]);
  });
});
