import { on } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { expect, test } from "@jest/globals";
import { anEvent, describeEventStore, takeEvents } from "../../contract/event-store-contract.ts";
import { AppendNotifier, NO_STREAM, type RecordedEvent, START, upcasting } from "../../src/event-store/index.ts";
import { InMemoryEventStore } from "../../testing/event-store.ts";
import { openTemporaryStore } from "./temporary-store.ts";

describeEventStore("LMDB", async () => {
  const { store, dispose } = openTemporaryStore();
  return { store, dispose };
});

test.each([
  ["many", 2_500, {}],
  ["large", 100, { text: "x".repeat(15_000) }],
])(
  "a stream of %s events is read in several turns of the event loop, and an append in between is not forgotten",
  async (_, size, data) => {
    const { store, environment, folder } = openTemporaryStore();
    await store.append(
      "long",
      NO_STREAM,
      Array.from({ length: size }, () => anEvent(data)),
    );
    for (const name of ["other", "third"]) await store.append(name, NO_STREAM, [anEvent()]);
    await store.close();
    await environment.close();

    const again = openTemporaryStore({}, folder);
    const reading = again.store.readStream("long");
    let turns = 0;
    const count = () => {
      turns += 1;
      if (turns === 1) void again.store.append("long", size - 1, [anEvent()]);
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    const events = await reading;
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(3);
    expect(events.slice(0, size).map(({ revision }) => revision)).toStrictEqual(
      Array.from({ length: size }, (_, n) => n),
    );
    expect(await again.store.append("long", size, [anEvent()])).toMatchObject({ revision: size + 1 });
    expect(await again.store.readStream("long", size - 1)).toHaveLength(3);
    await again.store.close();
    await again.environment.close();
    rmSync(folder, { recursive: true });
  },
);

describeEventStore("in memory", async () => ({ store: new InMemoryEventStore(), dispose: async () => {} }));

test("an empty store begins at the start, and this process is its only writer", async () => {
  const { store, dispose } = openTemporaryStore();
  expect(await store.head()).toBe(START);
  expect(store.singleWriter).toBe(true);
  expect((await store.append("s", NO_STREAM, [anEvent()])).position).toBe(1n);
  await store.close();
  await dispose();
});

test("a batch ends after 4 MB, and the next one goes on", async () => {
  const { store, dispose } = openTemporaryStore();
  for (let n = 0; n < 10; n += 1) await store.append(`s-${n}`, NO_STREAM, [anEvent({ text: "x".repeat(1_000_000) })]);
  const batches: string[][] = [];
  for await (const events of store.subscribe({ after: START, signal: new AbortController().signal })) {
    batches.push(events.map(({ stream }) => stream));
    if (batches.flat().length === 10) break;
  }
  expect(batches.map(({ length }) => length)).toStrictEqual([5, 5]);
  expect(batches.flat()).toStrictEqual(Array.from({ length: 10 }, (_, n) => `s-${n}`));
  await store.close();
  await dispose();
});

test("a store that is opened again goes on where it was, and knows what it stored", async () => {
  const first = openTemporaryStore();
  const events = Array.from({ length: 5 }, (_, index) => anEvent({ [`field${index}`]: index }));
  const result = await first.store.append("s", NO_STREAM, events);
  await first.store.close();
  await first.environment.close();

  const second = openTemporaryStore({}, first.folder);
  expect(await second.store.append("s", NO_STREAM, events)).toStrictEqual(result);
  const next = anEvent({ field0: 0, other: 1 });
  expect(await second.store.append("s", 4, [next])).toStrictEqual({ revision: 5, position: 6n });
  const all = await takeEvents(second.store, 6, { after: START });
  expect(all.map(({ data }) => data)).toStrictEqual([...events, next].map(({ data }) => data));
  await second.store.close();
  await second.dispose();
});

test.each([
  ["of the same command", "01a203c4-f787-74da-8332-cf847e000001", "01a203c4-f787-74da-8332-cf847e000000"],
  ["in capitals", "01A203C4-F787-74DA-8332-CF847E00000A", "01A203C4-F787-74DA-8332-CF847E000000"],
  ["of no command", "01a203c4-f787-74da-8332-cf847e000001", ""],
  ["of the length of its end", "beef", "01a203c4-f787-74da-8332-cf847e000000"],
  ["as short as its command's", "beef", "cafe"],
  ["longer than its command's", "01a203c4-0001", "01a203c4"],
])("an event id %s is restored", async (_, id, commandId) => {
  const { metadata, ...event } = anEvent();
  const appended = { ...event, id, metadata: { ...metadata, commandId } };
  const { store, dispose } = openTemporaryStore();
  await store.append("s", NO_STREAM, [appended]);
  expect(await store.readStream("s")).toStrictEqual([{ ...appended, stream: "s", revision: 0, position: 1n }]);
  await store.close();
  await dispose();
});

test("an event that can't be stored fails its own append and no other", async () => {
  const { store, dispose } = openTemporaryStore();
  const before = store.append("a", NO_STREAM, [anEvent()]);
  const circular: { self?: unknown } = {};
  circular.self = circular;
  await expect(store.append("b", NO_STREAM, [anEvent(), anEvent(circular)])).rejects.toThrow(TypeError);
  const after = store.append("b", NO_STREAM, [anEvent({ fine: true })]);
  expect([(await before).position, (await after).position]).toStrictEqual([1n, 2n]);
  await expect(store.append("b", 0, [])).rejects.toThrow("nothing to append");
  await store.close();
  await dispose();
});

test("a subscription ends when the store is closed", async () => {
  const { store, dispose } = openTemporaryStore();
  const batches = store.subscribe({ after: START, signal: new AbortController().signal })[Symbol.asyncIterator]();
  const next = batches.next();
  await store.close();
  expect((await next).done).toBe(true);
  await dispose();
});

const steps = [
  { type: "Held", version: 1, upcast: (data: unknown) => ({ ...(data as object), cabin: "economy" }) },
  {
    type: "Held",
    version: 2,
    upcast: (data: unknown) => ({ ...(data as object), seats: [(data as { seat: string }).seat] }),
  },
];

test("old events are read in the present shape, however they are read", async () => {
  const { store, dispose } = openTemporaryStore({ upcast: upcasting(steps) });
  const [v1, v2, v3, other] = [
    anEvent({ seat: "1A" }, "Held"),
    { ...anEvent({ seat: "2A", cabin: "first" }, "Held"), version: 2 },
    { ...anEvent({ seats: [] }, "Held"), version: 3 },
    anEvent({ seat: "4A" }, "Released"),
  ];
  await store.append("s", NO_STREAM, [v1, v2, v3, other]);
  const read = await store.readStream("s");
  expect(read.map(({ version, data }) => [version, data])).toStrictEqual([
    [3, { seat: "1A", cabin: "economy", seats: ["1A"] }],
    [3, { seat: "2A", cabin: "first", seats: ["2A"] }],
    [3, { seats: [] }],
    [1, { seat: "4A" }],
  ]);
  expect(await takeEvents(store, 4, { after: 0n })).toStrictEqual(read);
  await store.close();
  await dispose();
});

test("one step per type and version", () => {
  expect(() => upcasting([...steps, { type: "Held", version: 2, upcast: (data) => data }])).toThrow(
    "two upcasters for version 2 of Held",
  );
});

interface Message {
  readonly head?: bigint;
  readonly batch?: readonly RecordedEvent[];
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
  for await (const [message] of on(worker, "message", { close: ["exit"] }) as AsyncIterable<[Message]>) {
    if (message.head !== undefined) expect(message.head).toBe(1n);
    if (message.batch === undefined) continue;
    seen.push(...message.batch);
    const n = seen.length;
    if (n < 50) await store.append("stream", n - 1, [anEvent({ [`shape${n}`]: n, nested: { [`inner${n}`]: [n] } })]);
    else worker.postMessage("end");
  }
  expect(seen).toStrictEqual(await store.readStream("stream"));
  expect(seen).toHaveLength(50);
  await store.close();
  await dispose();
});
