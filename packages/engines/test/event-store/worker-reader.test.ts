import { on } from "node:events";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "@jest/globals";
import { anEvent } from "../../contract/event-store-contract.ts";
import { AppendNotifier, NO_STREAM, type RecordedEvent } from "../../src/event-store/index.ts";
import { openTemporaryStore } from "./temporary-store.ts";

interface Message {
  readonly head?: bigint;
  readonly batch?: readonly RecordedEvent[];
  readonly stream?: readonly RecordedEvent[];
  readonly ended?: true;
}

test("another thread reads what this one appends, new shapes included, as it comes", async () => {
  const wakeUp = new AppendNotifier();
  const { store, folder, dispose } = openTemporaryStore({ appendNotifier: wakeUp });
  await store.append("stream", NO_STREAM, [anEvent({ shape0: 0 })]);
  const worker = new Worker(join(import.meta.dirname, "children", "read-log.ts"), {
    workerData: { path: folder, wakeUp: wakeUp.buffer },
    execArgv: [],
  });
  const seen: RecordedEvent[] = [];
  let read: readonly RecordedEvent[] | undefined;
  for await (const [message] of on(worker, "message", { close: ["exit"] }) as AsyncIterable<[Message]>) {
    if (message.head !== undefined) expect(message.head).toBe(1n);
    if (message.stream !== undefined) read = message.stream;
    if (message.batch === undefined) continue;
    seen.push(...message.batch);
    const n = seen.length;
    if (n < 50) await store.append("stream", n - 1, [anEvent({ [`shape${n}`]: n, nested: { [`inner${n}`]: [n] } })]);
    else worker.postMessage("end");
  }
  expect(seen).toStrictEqual(await store.readStream("stream"));
  expect(seen).toHaveLength(50);
  expect(read).toStrictEqual(seen);
  await store.close();
  await dispose();
});
