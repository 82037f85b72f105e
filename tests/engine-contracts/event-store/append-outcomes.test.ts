import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, test } from "@jest/globals";
import {
  AppendRefused,
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
} from "@travel-booking/engines/event-store";
import { anEvent } from "@travel-booking/engines/event-store/contract";
import { StreamTombstoned } from "@travel-booking/engines/event-store/eventstoredb";
import { describeWith, startEventStore } from "../../engines/index.ts";
import { appendWithRetry } from "./kit/append-with-retry.ts";
import { waitUntil } from "./kit/until.ts";
import { useDouble } from "./kit/use-double.ts";
import { useStores } from "./kit/use-stores.ts";

const server = useDouble({ writeTimeoutMs: 100 });
const UNKNOWN = { name: "EventStoreUnavailable", outcomeUnknown: true };
const NOT_ATTEMPTED = { name: "EventStoreUnavailable", outcomeUnknown: false };

const LIMIT = 1_048_576;
const ofSize = (bytes: number) => anEvent({ text: "x".repeat(bytes) });

let stream: string;
beforeEach(() => {
  stream = `booking-${randomUUID()}`;
});

const failureOf = (append: Promise<unknown>) => append.catch((error: unknown) => error);

async function expectStored(store: EventStore, events: readonly EventToAppend[]): Promise<void> {
  expect((await store.readStream(stream)).map(({ id }) => id)).toStrictEqual(events.map(({ id }) => id));
}

describe("an append whose answer does not come", () => {
  test.each(["lose answer", "swallow"] as const)("(%s) has an unknown outcome, and can be repeated", async (fault) => {
    const store = server.open({ appendTimeoutMs: 100 });
    const events = [anEvent(), anEvent()];
    await store.head();
    await server.faults.onAppends(fault);
    const failure = await failureOf(store.append(stream, NO_STREAM, events));
    expect(failure).toMatchObject(UNKNOWN);
    expect(failure).toHaveProperty("message", "EventStoreDB did not take an append: no answer within 100 ms");
    await server.faults.release();
    const repeated = await appendWithRetry(store, stream, NO_STREAM, events);
    expect(repeated).toStrictEqual(await server.open().append(stream, NO_STREAM, events));
    expect(repeated?.revision).toBe(1);
    await expectStored(store, events);
  });

  test("or comes late: that disturbs nobody", async () => {
    const store = server.open({ appendTimeoutMs: 100 });
    const [late, next] = [anEvent(), anEvent()];
    await server.faults.onAppends("hold answer");
    expect(await failureOf(store.append(stream, NO_STREAM, [late]))).toMatchObject(UNKNOWN);
    await server.faults.release();
    expect((await appendWithRetry(store, stream, NO_STREAM, [late]))?.revision).toBe(0);
    expect((await appendWithRetry(store, stream, 0, [next]))?.revision).toBe(1);
    await expectStored(store, [late, next]);
  });

  test("fails no other append that is answered", async () => {
    const store = server.open();
    await server.faults.onAppends("swallow", 1);
    const unanswered = failureOf(store.append(stream, NO_STREAM, [anEvent()]));
    const others = Array.from({ length: 20 }, (_, index) => store.append(`${stream}-${index}`, NO_STREAM, [anEvent()]));
    expect((await Promise.all(others)).map(({ revision }) => revision)).toStrictEqual(others.map(() => 0));
    expect(await unanswered).toMatchObject(UNKNOWN);
    expect((await store.append(stream, NO_STREAM, [anEvent()])).revision).toBe(0);
  });
});

describe("a repetition of an append that is still under way", () => {
  test("in another process runs into a time-out, and succeeds later", async () => {
    const [one, other] = [server.open({ appendTimeoutMs: 10_000 }), server.open()];
    const events = [anEvent(), anEvent()];
    await server.faults.onAppends("hold write");
    const before = (await server.faults.state()).appends;
    const first = one.append(stream, NO_STREAM, events);
    await waitUntil(async () => (await server.faults.state()).appends > before);
    const failure = await failureOf(other.append(stream, NO_STREAM, events));
    expect(failure).toMatchObject(UNKNOWN);
    expect(failure).toHaveProperty("message", "EventStoreDB did not take an append: Timeout");
    await server.faults.release();
    const stored = await first;
    expect(await other.append(stream, NO_STREAM, events)).toStrictEqual(stored);
    await expectStored(one, events);
  });

  test("in the same process shares the answer", async () => {
    const store = server.open();
    const events = [anEvent()];
    await server.faults.onAppends("hold write");
    const before = (await server.faults.state()).appends;
    const first = store.append(stream, NO_STREAM, events);
    const second = store.append(stream, NO_STREAM, structuredClone(events));
    await waitUntil(async () => (await server.faults.state()).appends > before);
    await server.faults.release();
    expect(await second).toStrictEqual(await first);
    expect((await server.faults.state()).appends - before).toBe(1);
  });
});

test("a conflict is told when what it was lost to can be read", async () => {
  const [one, other] = [server.open(), server.open()];
  const [winner, loser] = [anEvent(), anEvent()];
  await server.faults.onAppends("hold write", 1);
  const before = (await server.faults.state()).appends;
  const winning = one.append(stream, NO_STREAM, [winner]);
  await waitUntil(async () => (await server.faults.state()).appends > before);
  const losing = failureOf(other.append(stream, NO_STREAM, [loser]));
  await waitUntil(async () => (await server.faults.state()).appends > before + 1);
  await server.faults.release();
  expect(await losing).toMatchObject({ name: "WrongExpectedRevision", stream, expected: NO_STREAM, actual: 0 });
  await expectStored(other, [winner]);
  await winning;
});

test("where the server does not say where it stored an append, that is looked up", async () => {
  const store = server.open();
  await server.faults.onAppends("no position");
  const { revision, position } = await store.append(stream, NO_STREAM, [anEvent(), anEvent()]);
  expect([revision, position]).toStrictEqual([1, (await store.readStream(stream))[1]?.position]);
});

test("an append that is stored was attempted, also where its log can't be read to be compared", async () => {
  const store = server.open();
  const events = [anEvent()];
  const { position } = await store.append(stream, NO_STREAM, events);
  await store.append(`${stream}-next`, NO_STREAM, [anEvent()]);
  await server.faults.followLeader("127.0.0.1:1");
  expect(await failureOf(store.append(stream, NO_STREAM, events))).toMatchObject(UNKNOWN);
  await server.faults.reset();
  expect((await appendWithRetry(store, stream, NO_STREAM, events))?.position).toBe(position);
});

describe("a server that is not there", () => {
  test("has not been asked for anything", async () => {
    const store = server.open({ toleratedOutageMs: 0 });
    await server.double.kill();
    const failure = await failureOf(store.append(stream, NO_STREAM, [anEvent()]));
    expect(failure).toBeInstanceOf(EventStoreUnavailable);
    expect(failure).toMatchObject(NOT_ATTEMPTED);
    expect(await store.ping()).toBe(false);
    for (const read of [store.head(), store.readStream(stream)]) {
      expect(await failureOf(read)).toMatchObject(NOT_ATTEMPTED);
    }
    await server.double.restart();
    const event = anEvent();
    await waitUntil(async () => {
      const appended = await failureOf(store.append(stream, NO_STREAM, [event]));
      return !(appended instanceof EventStoreUnavailable);
    });
    expect(await store.ping()).toBe(true);
    await expectStored(store, [event]);
  });

  test("or not ready yet, has not either", async () => {
    const store = server.open({ toleratedOutageMs: 0 });
    await server.faults.notReady(60_000);
    const failure = await failureOf(store.append(stream, NO_STREAM, [anEvent()]));
    expect(failure).toMatchObject(NOT_ATTEMPTED);
    expect(failure).toHaveProperty("message", "EventStoreDB did not take an append: Server Is Not Ready");
    for (const read of [store.head(), store.readStream(stream)]) {
      expect(await failureOf(read)).toMatchObject(NOT_ATTEMPTED);
    }
    await server.faults.reset();
    await waitUntil(() => store.ping());
    expect((await store.append(stream, NO_STREAM, [anEvent()])).revision).toBe(0);
  });

  test.each(["SIGTERM", "SIGKILL"] as const)("after %s: what was under way may be stored", async (signal) => {
    const store = server.open({ appendTimeoutMs: 10_000 });
    await server.faults.onAppends("hold answer");
    const before = (await server.faults.state()).appends;
    const events = [anEvent()];
    const underWay = failureOf(store.append(stream, NO_STREAM, events));
    await waitUntil(async () => (await server.faults.state()).appends > before);
    process.kill(server.double.pid ?? 0, signal);
    expect(await underWay).toMatchObject(UNKNOWN);
    await server.double.restart();
    expect((await server.open().append(stream, NO_STREAM, events)).revision).toBe(0);
    await expectStored(server.open(), events);
  });
});

test("no append waits longer than it is given, wherever it got stuck", async () => {
  const store = server.open({ appendTimeoutMs: 200 });
  const pid = server.double.pid ?? 0;
  await store.head();
  process.kill(pid, "SIGSTOP");
  try {
    const appends = Array.from({ length: 100 }, (_, index) => {
      return failureOf(store.append(`${stream}-${index}`, NO_STREAM, [anEvent({ text: "x".repeat(10_000) })]));
    });
    for (const failure of await Promise.all(appends)) expect(failure).toMatchObject(UNKNOWN);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  expect((await appendWithRetry(store, stream, NO_STREAM, [anEvent()]))?.revision).toBe(0);
});

test("an append that is too large for any server is not sent", async () => {
  const before = (await server.faults.state()).appends;
  const failure = await failureOf(server.open().append(stream, NO_STREAM, [ofSize(17 * LIMIT)]));
  expect(failure).toBeInstanceOf(AppendRefused);
  expect((await server.faults.state()).appends).toBe(before);
});

describeWith({ eventStore: startEventStore }, "whatever the server", ({ eventStore }) => {
  const server = useStores(eventStore);
  test("an append above the server's limit says so, with its stream and size, and stores nothing", async () => {
    const store = server.open();
    // How much it takes is its setting: the first of these that it refuses is above it.
    let taken = LIMIT / 4;
    let failure: unknown;
    while (!(failure instanceof AppendRefused)) {
      taken *= 2;
      failure = await failureOf(store.append(`${stream}-${taken}`, NO_STREAM, [ofSize(taken), ofSize(taken)]));
    }
    const { message } = failure;
    expect(Number(/\d+(?= bytes)/.exec(message)?.[0])).toBeGreaterThan(2 * taken);
    expect(message).toContain(`to stream ${stream}-${taken} is refused: EventStoreDB says `);
    expect(await store.readStream(`${stream}-${taken}`)).toStrictEqual([]);
    const event = ofSize(taken / 2);
    await store.append(stream, NO_STREAM, [event]);
    await expectStored(store, [event]);
  });

  test("what the server refuses by its form is refused for good", async () => {
    const failure = await failureOf(server.open().append(stream, NO_STREAM, [anEvent({}, "")]));
    expect(failure).toBeInstanceOf(AppendRefused);
    await expectStored(server.open(), []);
  });

  test("what no subscriber would get, or no server take, is refused", async () => {
    const store = server.open();
    await expect(store.append("$settings", NO_STREAM, [anEvent()])).rejects.toThrow(RangeError);
    await expect(store.append(stream, NO_STREAM, [anEvent({}, "$Held")])).rejects.toThrow(RangeError);
    await expect(store.append(stream, NO_STREAM, [])).rejects.toThrow("nothing to append");
    for (const revision of [-2, 0.5, Number.NaN]) {
      await expect(store.append(stream, revision, [anEvent()])).rejects.toThrow(RangeError);
    }
    for (const data of [undefined, () => 1, 1n]) {
      await expect(store.append(stream, NO_STREAM, [anEvent(), { ...anEvent(), data }])).rejects.toThrow(TypeError);
    }
    await expectStored(store, []);
  });

  test("a stream with a tombstone can't be written any more, and says so", async () => {
    const store = server.open();
    await store.append(stream, NO_STREAM, [anEvent()]);
    await server.client().tombstoneStream(stream);
    for (const revision of [NO_STREAM, 0]) {
      const failure = await failureOf(store.append(stream, revision, [anEvent()]));
      expect(failure).toBeInstanceOf(StreamTombstoned);
      expect(failure).toHaveProperty("message", `stream ${stream} in EventStoreDB was deleted for good`);
    }
  });

  test("revisions go on after a stream was deleted", async () => {
    const store = server.open();
    await store.append(stream, NO_STREAM, [anEvent(), anEvent()]);
    await server.client().deleteStream(stream);
    await expectStored(store, []);
    const event = anEvent();
    expect((await store.append(stream, NO_STREAM, [event])).revision).toBe(2);
    await waitUntil(async () => (await store.readStream(stream)).length === 1);
    await expectStored(store, [event]);
    expect((await store.append(stream, 2, [anEvent()])).revision).toBe(3);
  });
});
