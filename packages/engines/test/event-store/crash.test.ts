import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
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
  for (const [round, count] of [200, 1_000, 37, 3_000].entries()) {
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
