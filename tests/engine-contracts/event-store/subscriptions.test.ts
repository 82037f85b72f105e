import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { type EventStore, type EventToAppend, NO_STREAM, START } from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import type { Drop } from "../../engines/eventstoredb/index.ts";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { BackgroundReader } from "./kit/reader.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";
import { type Stores, useStores } from "./kit/use-stores.ts";

const server = useDouble();
const QUICKLY = { initialMs: 5, maxMs: 20 };
const DROPS: readonly Drop[] = ["too slow", "cancelled", "ended"];

let stream: string;
let start: bigint;
const readers: BackgroundReader[] = [];
beforeEach(async () => {
  stream = `booking-${randomUUID()}`;
  start = await server.open().head();
});
afterEach(async () => {
  await Promise.all(readers.splice(0).map((reader) => reader.stop()));
});

function read(...parameters: ConstructorParameters<typeof BackgroundReader>): BackgroundReader {
  const reader = new BackgroundReader(...parameters);
  readers.push(reader);
  return reader;
}

/** Appends them to the end of the stream, some at a time. */
async function appendAll(store: EventStore, events: readonly EventToAppend[], atOnce = 100): Promise<void> {
  const next = (await store.readStream(stream)).length;
  for (let at = 0; at < events.length; at += atOnce) {
    await store.append(stream, next + at - 1, events.slice(at, at + atOnce));
  }
}

const manyEvents = (count: number, bytes = 10) =>
  Array.from({ length: count }, (_, n) => anEvent({ n, text: "x".repeat(bytes) }));
const idsOf = (events: readonly EventToAppend[]) => events.map(({ id }) => id);

describe("a dropped subscription is taken up where it was", () => {
  test.each(DROPS)("(%s) in the middle of a catch-up", async (how) => {
    const problems: Error[] = [];
    const store = server.open({ backOff: QUICKLY, onProblem: (problem) => problems.push(problem) });
    const events = manyEvents(1_500, 500);
    await appendAll(store, events);
    let drops = 0;
    const drop = async () => {
      if (drops++ < 5) await server.faults.dropSubscriptions(how);
    };
    const reader = read(store, start, { maxBatch: 100, eachBatch: drop });
    await reader.waitForCount(events.length);
    expect(reader.ids).toStrictEqual(idsOf(events));
    expect(problems.length).toBeGreaterThan(0);
    for (const problem of problems) {
      expect(problem.name).toBe("EventStoreUnavailable");
      expect(problem.message).toMatch(/^a subscription to EventStoreDB was dropped, and is being resumed: /);
    }
  });

  test.each(DROPS)("(%s) while it is live", async (how) => {
    const store = server.open({ backOff: QUICKLY });
    const events = manyEvents(30);
    const reader = read(store, start);
    for (const [index, event] of events.entries()) {
      await store.append(stream, index - 1, [event]);
      if (index % 3 === 0) await server.faults.dropSubscriptions(how);
      if (index % 5 === 0) await reader.waitForCount(index + 1);
    }
    await reader.waitForCount(events.length);
    expect(reader.ids).toStrictEqual(idsOf(events));
  });

  test("after checkpoints that ran ahead of the reader", async () => {
    const store = server.open({ backOff: QUICKLY });
    const events = manyEvents(50);
    await appendAll(store, events, 1);
    // Far behind the last event, and seen by the client before the reader has taken the first.
    await server.faults.writeStatistics(6_000);
    const reader = read(store, start, {
      maxBatch: 1,
      eachBatch: () => server.faults.dropSubscriptions("cancelled"),
    });
    await reader.waitForCount(events.length);
    expect(reader.ids).toStrictEqual(idsOf(events));
  });

  test("while the server is away, killed and started again", async () => {
    const problems: Error[] = [];
    const recovered = Promise.withResolvers<void>();
    const store = server.open({
      backOff: QUICKLY,
      onProblem: (problem) => problems.push(problem),
      onRecovered: recovered.resolve,
    });
    const reader = read(store, start);
    const events = manyEvents(40);
    await appendAll(store, events.slice(0, 20), 1);
    await reader.waitForCount(20);
    await server.double.kill();
    for (let tries = 0; tries < 3; tries++) expect(await store.ping()).toBe(false);
    await server.double.restart();
    await appendAll(server.open(), events.slice(20), 1);
    await reader.waitForCount(40);
    expect(reader.ids).toStrictEqual(idsOf(events));
    // Told once, however often it was tried.
    await recovered.promise;
    expect(problems.map(({ message }) => message)).toStrictEqual([
      expect.stringMatching(/^a subscription to EventStoreDB was dropped, and is being resumed: /),
    ]);
  });

  test("where the event it was at has been scavenged", async () => {
    const store = server.open({ backOff: QUICKLY });
    const gone = `${stream}-gone`;
    const [first, last] = [anEvent({ n: 1 }), anEvent({ n: 2 })];
    await store.append(stream, NO_STREAM, [first]);
    const { position } = await store.append(gone, NO_STREAM, [anEvent()]);
    await store.append(stream, 0, [last]);
    await server.client().deleteStream(gone);
    expect(await server.faults.scavenge()).toBeGreaterThan(0);
    const reader = read(store, position);
    await reader.waitForCount(1);
    expect(reader.ids).toStrictEqual([last.id]);
  });
});

/** Answers what the store reported meanwhile. */
async function readSlowly(stores: Stores, after: bigint): Promise<readonly Error[]> {
  const problems: Error[] = [];
  const store = stores.open({ backOff: QUICKLY, onProblem: (problem) => problems.push(problem) });
  const writer = stores.open();
  const gate = Promise.withResolvers<void>();
  const events = manyEvents(600, 20_000);
  const reader = read(store, after, { maxBatch: 10, eachBatch: () => gate.promise });
  await writer.append(stream, NO_STREAM, events.slice(0, 1));
  await reader.waitForCount(1);
  await appendAll(writer, events.slice(1), 20);
  gate.resolve();
  await reader.waitForCount(events.length);
  expect(reader.ids).toStrictEqual(idsOf(events));
  return problems;
}

test("a reader that takes its time loses nothing where it is dropped", async () => {
  await server.faults.dropSlowConsumers(true);
  const problems = await readSlowly(server, start);
  expect(problems.some(({ message }) => message.includes("Consumer too slow"))).toBe(true);
});

describe("a subscription that falls silent without an error", () => {
  test("is noticed by what it does not deliver", async () => {
    const problems: string[] = [];
    const store = server.open({
      backOff: QUICKLY,
      idleTimeoutMs: 50,
      onProblem: ({ message }) => problems.push(message),
    });
    const reader = read(store, start);
    const events = manyEvents(3);
    await store.append(stream, NO_STREAM, events.slice(0, 1));
    await reader.waitForCount(1);
    await server.faults.silence(true);
    await store.append(stream, 0, events.slice(1));
    await waitUntil(() => problems.some((problem) => problem.includes("no events arrive although the log has more")));
    await server.faults.silence(false);
    await reader.waitForCount(3);
    expect(reader.ids).toStrictEqual(idsOf(events));
  });

  test("is left alone while there is nothing to deliver", async () => {
    const problems: Error[] = [];
    const store = server.open({ idleTimeoutMs: 10, onProblem: (problem) => problems.push(problem) });
    const reader = read(store, start);
    await store.append(stream, NO_STREAM, [anEvent()]);
    await reader.waitForCount(1);
    await server.faults.writeStatistics(5);
    // It looks for the head after each silence.
    const before = (await server.faults.state()).reads;
    await waitUntil(async () => (await server.faults.state()).reads >= before + 6);
    expect(problems).toStrictEqual([]);
  });
});

describe("ends at once when its signal aborts", () => {
  test("while it backs off", async () => {
    const problem = Promise.withResolvers<Error>();
    const store = server.open({ backOff: { initialMs: 60_000, maxMs: 60_000 }, onProblem: problem.resolve });
    const reader = read(store, start);
    await waitUntil(async () => (await server.faults.state()).subscriptions === 1);
    await server.faults.dropSubscriptions("cancelled");
    await problem.promise;
    await reader.stop();
  });

  test("while the server says nothing at all", async () => {
    const store = server.open();
    const pid = server.double.pid ?? 0;
    const connected = await store.head();
    process.kill(pid, "SIGSTOP");
    try {
      await read(store, connected).stop();
    } finally {
      process.kill(pid, "SIGCONT");
    }
  });

  test("and while nobody pulls: nothing is left open at the server", async () => {
    const store = server.open();
    await store.append(stream, NO_STREAM, manyEvents(10));
    const abort = new AbortController();
    const batches = store.subscribe({ after: start, signal: abort.signal, maxBatch: 1 })[Symbol.asyncIterator]();
    await batches.next();
    expect((await server.faults.state()).subscriptions).toBe(1);
    abort.abort();
    await waitUntil(async () => (await server.faults.state()).subscriptions === 0);
    for await (const _ of store.subscribe({ after: start, signal: new AbortController().signal })) break;
    await waitUntil(async () => (await server.faults.state()).subscriptions === 0);
  });

  test("or the store is closed", async () => {
    const store = server.open();
    const reader = new BackgroundReader(store, start);
    await waitUntil(async () => (await server.faults.state()).subscriptions === 1);
    await store.close();
    await reader.stop();
    await waitUntil(async () => (await server.faults.state()).subscriptions === 0);
  });
});

describeWith({ eventStore: startEventStore }, "on any server", ({ eventStore }) => {
  const server = useStores(eventStore);

  test("a reader that takes its time loses nothing, and is not dropped", async () => {
    expect(await readSlowly(server, await server.open().head())).toStrictEqual([]);
  });

  test("it can't be asked for batches of nothing", async () => {
    const batches = server.open().subscribe({ after: START, signal: new AbortController().signal, maxBatch: 0 });
    await expect(batches[Symbol.asyncIterator]().next()).rejects.toThrow(RangeError);
  });
});
