import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { createInterface } from "node:readline/promises";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { processesWith } from "./kit/processes.ts";
import { remainingTraces, type ServerTraces, tracesOf } from "./kit/traces.ts";

const SCRIPT = path.join(import.meta.dirname, "kit/start-engines.ts");
/** Generous: the machine may be busy. */
const GONE_WITHIN_MS = 30_000;

let child: ChildProcess | undefined;
let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "end-with-us-"));
  // PostgreSQL may run as another user.
  fs.chmodSync(folder, 0o755);
});
afterEach(() => {
  child?.kill("SIGKILL");
  fs.rmSync(folder, { recursive: true, force: true });
});

/** A process in a group of its own that has started engines in our folder; answers their urls. */
async function startEngines(): Promise<readonly string[]> {
  const { NODE_OPTIONS: _, TEST_POSTGRES_LENT_AT: __, ...env } = process.env;
  const started = spawn(process.execPath, [SCRIPT], {
    stdio: ["pipe", "pipe", "inherit"],
    detached: true,
    env: { ...env, TMPDIR: folder, TEST_DOCKER: "is silent" },
  });
  child = started;
  for await (const line of createInterface(started.stdout)) return JSON.parse(line);
  throw new Error("it ended before it had started them");
}

/** Waits until nothing is left of any of them; answers what is, when that takes too long. */
async function leftInTheEnd(traces: readonly ServerTraces[]): Promise<readonly string[]> {
  const giveUpAt = performance.now() + GONE_WITHIN_MS;
  for (;;) {
    const left = [
      ...(await Promise.all(traces.map(remainingTraces))).flat(),
      ...processesWith(folder).map(({ line }) => line),
      ...fs.readdirSync(folder),
    ];
    if (left.length === 0 || performance.now() > giveUpAt) return left;
    await pause(50);
  }
}

test(
  "nothing is left of its engines when a process is killed",
  async () => {
    const urls = await startEngines();
    expect(urls).not.toStrictEqual([]);
    const traces = urls.map(tracesOf);
    const ended = once(child as ChildProcess, "exit");
    child?.kill("SIGKILL");
    await ended;
    expect(await leftInTheEnd(traces)).toStrictEqual([]);
  },
  3 * GONE_WITHIN_MS,
);
