import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { takeEvents } from "../../contract/event-store-contract.ts";
import { openTemporaryStore, temporaryFolder } from "./temporary-store.ts";

interface Acknowledged {
  readonly stream: string;
  readonly ids: readonly string[];
  readonly revision: number;
  readonly position: string;
}

/** Kills the process in the middle of its work, once it has acknowledged so many appends. */
async function appendAndKill(folder: string, round: number, count: number): Promise<Acknowledged[]> {
  const script = join(import.meta.dirname, "children", "append-until-killed.ts");
  const child: ChildProcess = spawn(process.execPath, [script, folder, `${round}`], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, NODE_OPTIONS: "" },
  });
  const exited = once(child, "exit");
  const acknowledged: Acknowledged[] = [];
  if (child.stdout === null) throw new Error("no standard output");
  for await (const line of createInterface(child.stdout)) {
    if (!line.endsWith("}")) continue;
    acknowledged.push(JSON.parse(line));
    if (acknowledged.length === count) child.kill("SIGKILL");
  }
  expect(await exited).toStrictEqual([null, "SIGKILL"]);
  return acknowledged;
}

test("what was acknowledged survives kill -9, whole and without a gap", async () => {
  const folder = temporaryFolder();
  const acknowledged: Acknowledged[] = [];
  for (const [round, count] of [200, 37, 1_000].entries()) {
    acknowledged.push(...(await appendAndKill(folder, round, count)));
    const { store, environment } = openTemporaryStore({}, folder);
    const head = await store.head();
    const all = await takeEvents(store, Number(head), { after: 0n });
    expect(all.map((event) => event.position)).toStrictEqual(all.map((_, index) => BigInt(index + 1)));
    const byStream = Map.groupBy(all, (event) => event.stream);
    for (const [stream, events] of byStream) {
      expect(events.map((event) => event.revision)).toStrictEqual(events.map((_, index) => index));
      expect(events.length % 2).toBe(0);
      expect(await store.readStream(stream)).toStrictEqual(events);
    }
    for (const { stream, ids, revision, position } of acknowledged) {
      const stored = byStream.get(stream)?.slice(revision + 1, revision + 3) ?? [];
      expect(stored.map((event) => event.id)).toStrictEqual(ids);
      expect(`${stored[1]?.position}`).toBe(position);
    }
    // Every other time as after a crash here, too.
    if (round % 2 === 1) await store.close();
    await environment.close();
  }
  await openTemporaryStore({}, folder).dispose();
});

test("a store that can't be written any more fails every append, says so once, and keeps what it acknowledged", async () => {
  const folder = temporaryFolder();
  const script = join(import.meta.dirname, "children", "append-until-full.ts");
  // A limit on the size of a file stands in for a full disk: the same failure of the same call.
  const running = promisify(execFile)(
    "sh",
    ["-c", 'ulimit -f 2000; exec "$0" "$@"', process.execPath, script, folder],
    { env: { ...process.env, NODE_OPTIONS: "" } },
  );
  // LMDB's own message about a failed write can be longer than the memory it takes for it, which may abort the
  // process when it ends. What counts is what it told before.
  const { stdout } = await running.catch((failure) => {
    if (failure.signal === "SIGABRT") return failure;
    throw failure;
  });
  const { acknowledged, failures, later, fatal } = JSON.parse(stdout);
  const unavailable = { name: "EventStoreUnavailable", unknown: true };
  expect(failures).toStrictEqual(Array(10).fill(unavailable));
  expect(later).toStrictEqual(unavailable);
  expect(fatal).toStrictEqual([expect.stringMatching(/^the event log could not be written \(.+\): .+$/)]);
  expect(acknowledged.length).toBeGreaterThan(100);

  const { store, dispose } = openTemporaryStore({}, folder);
  const stored = await takeEvents(store, Number(await store.head()), { after: 0n });
  const ids = new Set(stored.map((event) => event.id));
  expect(acknowledged.filter((id: string) => !ids.has(id))).toStrictEqual([]);
  expect(
    (await store.append("stream-0", (await store.readStream("stream-0")).length - 1, stored.slice(0, 1))).position,
  ).toBe(BigInt(stored.length + 1));
  await store.close();
  await dispose();
});
