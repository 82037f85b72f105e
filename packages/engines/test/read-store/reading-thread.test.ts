import { once } from "node:events";
import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import type { RootDatabase } from "lmdb";
import { openLmdbReadModels } from "../../src/read-store/lmdb/lmdb-read-store.ts";
import { openRoot, temporaryFolder } from "../../testing/read-store/index.ts";

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

test("a thread that only reads sees each write of another thread as soon as it hears of it", async () => {
  worker = new Worker(new URL("./writing-thread.ts", import.meta.url), { workerData: folder });
  await once(worker, "message");
  root = openRoot(folder, true);
  const models = openLmdbReadModels(root);
  expect(await models.body("ships.ship", "a")).toBeUndefined();
  for (let count = 1; count <= 50; count++) {
    const heard = new Promise<string>((resolve, reject) => {
      worker.once("message", () => {
        models.refresh();
        models.body("ships.ship", "a").then((body) => resolve(Buffer.from(body?.json ?? []).toString()), reject);
      });
    });
    worker.postMessage("write");
    // Something is read in every turn, so that the snapshot of the turn is too old when the news comes.
    const reading = setInterval(() => void models.body("ships.ship", "a"));
    expect(await heard).toBe(String(count));
    clearInterval(reading);
  }
  worker.postMessage("switch");
  await once(worker, "message");
  models.refresh();
  expect(await models.body("ships.ship", "a")).toBeUndefined();
  worker.postMessage("stop");
  await once(worker, "exit");
});

test("a store that was never written can't be opened for reading only", async () => {
  await openRoot(folder).close();
  const readOnly = openRoot(folder, true);
  root = readOnly;
  expect(() => openLmdbReadModels(readOnly)).toThrow("must be opened for writing before");
});
