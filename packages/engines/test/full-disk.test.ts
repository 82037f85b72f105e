import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { pieces } from "../contract/blob-store-contract.ts";
import { openFolderBlobStore } from "../src/blob-store/folder/folder-blob-store.ts";
import { DiskFull, DiskSpace } from "../src/disk-space/index.ts";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "../src/event-store/lmdb/lmdb-event-store.ts";
import { openEnvironment } from "../src/lmdb/index.ts";
import { openLmdbReadStore } from "../src/read-store/lmdb/lmdb-read-store.ts";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "../src/state-store/lmdb/lmdb-state-store.ts";
import { openRoot, temporaryFolder as readStoreFolder } from "../testing/read-store.ts";
import { anEventToAppend } from "./event-store/children/an-event-to-append.ts";

/** Of a disk of which 800 are kept free: a level at which everything, all but the last, and nothing is written. */
const PLENTY = 5_000;
const LOW = 150;
const NOTHING = 50;
const MOMENT_MS = 1_000;
let folder: string;
let freeUnits: number;
let now: number;
let disk: DiskSpace;

const onFatal = (error: Error) => {
  throw error;
};
const noRoom = (unavailable: string) =>
  expect.objectContaining({ name: unavailable, outcomeUnknown: false, cause: expect.any(DiskFull) });

beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "full-disk-"));
  freeUnits = PLENTY;
  now = 0;
  // In bytes, so that no room is made ahead.
  disk = new DiskSpace(folder, { reserve: 800, readFree: () => freeUnits, now: () => now });
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

function set(units: number, afterMs = MOMENT_MS): void {
  freeUnits = units;
  now += afterMs;
  expect(disk.free).toBe(units);
}

test("log and state finish what was begun, then refuse what is new, attempt nothing, and go on when there is room", async () => {
  const environment = openEnvironment({
    path: folder,
    disk,
    maxDbs: LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES,
  });
  const state = openLmdbStateStore(environment, { sharesLog: true, onFatal });
  const events = openLmdbEventStore(environment, { onFatal });
  await events.append("s", -1, [anEventToAppend()]);
  set(LOW);
  await events.append("s", 0, [anEventToAppend()]);
  await state.put("space", "key", 1);
  set(LOW);
  await expect(events.append("s", 1, [anEventToAppend()])).rejects.toStrictEqual(noRoom("EventStoreUnavailable"));
  await expect(state.put("space", "key", 2)).rejects.toStrictEqual(noRoom("StateStoreUnavailable"));
  await expect(state.create("space", "other", 2, { awaitFlush: false })).rejects.toStrictEqual(
    noRoom("StateStoreUnavailable"),
  );
  const [first] = await events.readStream("s");
  expect((await events.append("s", -1, first === undefined ? [] : [first])).revision).toBe(0);
  expect([(await events.readStream("s")).length, (await state.get("space", "key"))?.value]).toStrictEqual([2, 1]);
  set(PLENTY);
  expect((await events.append("s", 1, [anEventToAppend()])).revision).toBe(2);
  await state.put("space", "key", 2);
  set(NOTHING);
  await expect(events.append("s", 2, [anEventToAppend()])).rejects.toStrictEqual(noRoom("EventStoreUnavailable"));
  await events.close();
  await state.close();
  await environment.close();
});

test("a file that is half-way is given up, and leaves nothing", async () => {
  const store = await openFolderBlobStore(folder, disk);
  async function* content() {
    yield Buffer.alloc(1_000);
    set(LOW);
    yield Buffer.alloc(1_000);
  }
  await expect(store.put("k", content(), { maxBytes: 1_000_000 })).rejects.toStrictEqual(
    noRoom("BlobStoreUnavailable"),
  );
  expect(fs.readdirSync(folder)).toStrictEqual([]);
  set(PLENTY);
  expect((await store.put("k", pieces(Buffer.alloc(10)), { maxBytes: 1_000_000 })).bytes).toBe(10);
});

test("a rebuild waits for room before the read models in use do", async () => {
  const readFolder = readStoreFolder();
  const root = openRoot(readFolder);
  const store = openLmdbReadStore(root, disk);
  const live = await store.create("p", 1);
  await store.switchLive(live);
  const next = await store.create("p", 1);
  const write = (to: typeof live, checkpoint: bigint) => store.write([{ ...to, checkpoint, writes: [] }]);
  set(LOW);
  await write(live, 1n);
  const rebuilt = write(next, 1n);
  expect([(await store.checkpoint(live)).position, (await store.checkpoint(next)).position]).toStrictEqual([1n, 0n]);
  set(NOTHING);
  const followed = write(live, 2n);
  expect((await store.checkpoint(live)).position).toBe(1n);
  set(PLENTY);
  await Promise.all([rebuilt, followed]);
  expect([(await store.checkpoint(live)).position, (await store.checkpoint(next)).position]).toStrictEqual([2n, 1n]);
  set(NOTHING);
  const ended = write(live, 3n);
  disk.close();
  await expect(ended).rejects.toBeInstanceOf(DiskFull);
  await root.close();
  fs.rmSync(readFolder, { recursive: true });
});
