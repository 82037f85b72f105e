import { once } from "node:events";
import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { openLmdbReadModels } from "@travel-booking/engines/read-store/lmdb";
import { openRoot, temporaryFolder } from "@travel-booking/engines/read-store/testing";
import { ProjectorRefusal, type RebuildProgress } from "@travel-booking/read-models/control";
import type { RootDatabase } from "lmdb";
import { ProjectorClient } from "../src/thread-client.ts";
import { bodyOf, LONG_TIMEOUT_MS } from "./kit/harness.ts";

let folder: string;
let worker: Worker;
let ended: Promise<unknown>;
let client: ProjectorClient;
let root: RootDatabase<unknown, string> | undefined;
let refreshed: number;
const problems: unknown[] = [];
const fatal: Error[] = [];

async function startThread(mode: "sound" | "damaged"): Promise<void> {
  worker = new Worker(new URL("./kit/projector-thread.ts", import.meta.url), { workerData: { folder, mode } });
  ended = new Promise((resolve) => worker.once("exit", resolve));
  client = new ProjectorClient(worker, {
    onProblem: (problem) => problems.push(problem),
    onFatal: (error) => fatal.push(error),
    refresh: () => refreshed++,
  });
}

beforeEach(() => {
  folder = temporaryFolder();
  refreshed = 0;
  problems.length = 0;
  fatal.length = 0;
});
afterEach(async () => {
  await root?.close();
  root = undefined;
  // By itself: to terminate a thread in which LMDB still writes may crash the process.
  worker.postMessage({ kind: "end" });
  await ended;
  // The store's own threads may still be writing.
  fs.rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
});

describe("a projector in another thread", () => {
  beforeEach(async () => {
    await startThread("sound");
    await client.started;
  });

  test("shows what it folds, and announces its positions", async () => {
    root = openRoot(folder, true);
    const models = openLmdbReadModels(root);
    // The thread's log starts with three events; a message to it records another.
    expect(await client.progress.waitUntil("fleet", 3n, LONG_TIMEOUT_MS)).toBe(true);
    expect(await bodyOf(models, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "bob"], departed: true });
    worker.postMessage({ kind: "record", name: "cid" });
    expect(await client.progress.waitUntil("fleet", 4n, LONG_TIMEOUT_MS)).toBe(true);
    expect(client.progress.positionOf("fleet")).toBe(4n);
    expect(await bodyOf(models, "fleet.ship", "ship-a")).toMatchObject({ crew: ["ann", "bob", "cid"] });
    expect(refreshed).toBeGreaterThan(0);
  });

  test("rebuilds, lists, and reports progress", async () => {
    await client.progress.waitUntil("fleet", 3n, LONG_TIMEOUT_MS);
    const told: RebuildProgress[] = [];
    expect(await client.rebuild("fleet", (progress) => told.push(progress))).toStrictEqual({
      name: "fleet",
      events: 3,
      seconds: expect.any(Number),
    });
    expect(told.at(-1)).toMatchObject({ position: 3, head: 3 });
    await client.progress.waitUntil("waiting", 3n, LONG_TIMEOUT_MS);
    expect(await client.list()).toStrictEqual([
      { name: "fleet", state: "live", position: "3", lag: 0, error: null, failedAt: null },
      { name: "waiting", state: "live", position: "3", lag: 0, error: null, failedAt: null },
    ]);
  });

  test("reports a poison event, and leaves it out once it is skipped", async () => {
    await client.progress.waitUntil("waiting", 3n, LONG_TIMEOUT_MS);
    worker.postMessage({ kind: "record", type: "Exploded" });
    await client.progress.waitUntil("waiting", 4n, LONG_TIMEOUT_MS);
    expect(problems).toMatchObject([{ projection: "fleet", error: { message: "fleet: boom" } }]);
    const { failedAt, ...stopped } = await client.retry("fleet");
    expect(stopped).toMatchObject({ state: "stopped", position: "3", lag: 1 });
    expect(failedAt).toStrictEqual({ id: expect.any(String), type: "Exploded", stream: "ship-a", position: "4" });
    worker.postMessage({ kind: "skip", event: failedAt });
    expect(await client.retry("fleet")).toMatchObject({ state: "live", position: "4" });
    await expect(client.rebuild("waiting")).resolves.toMatchObject({ events: 4 });
  });

  test("refuses as one in the same thread does", async () => {
    const refusal = await client.rebuild("none").catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(ProjectorRefusal);
    expect(refusal).toMatchObject({ code: "unknown_projection", message: "there is no projection none" });
  });

  test("stops, with everything it folded written", async () => {
    await client.progress.waitUntil("fleet", 3n, LONG_TIMEOUT_MS);
    await client.stop();
    worker.postMessage({ kind: "exit" });
    await once(worker, "exit");
    expect(fatal).toStrictEqual([]);
  });

  test("that has ended rejects pending requests", async () => {
    const list = client.list();
    client.handleDisconnect(new Error("the projector's thread ended"));
    await expect(list).rejects.toThrow("the projector's thread ended");
    expect(fatal).toHaveLength(1);
  });
});

test("a projector that can't start reports it", async () => {
  await startThread("damaged");
  await client.started.catch(() => undefined);
  while (fatal.length === 0) await once(worker, "message");
  expect(fatal[0]).toMatchObject({ name: "DamagedStore", message: expect.stringContaining("a hole") });
});
