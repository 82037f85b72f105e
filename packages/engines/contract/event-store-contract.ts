import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { AnotherLog } from "../src/event-store/known-log.ts";
import {
  type EventStore,
  EventStoreUnavailable,
  type EventToAppend,
  NO_STREAM,
  type RecordedEvent,
  START,
  type SubscribeOptions,
  WrongExpectedRevision,
} from "../src/event-store/port.ts";

/** A store under test and its cleanup; call `dispose` after `store.close()`. */
export interface OpenedEventStore {
  readonly store: EventStore;
  readonly dispose: () => Promise<void>;
}

/** An event with defaults for tests. */
export function anEvent(data: unknown = {}, type = "SomethingHappened"): EventToAppend {
  const metadata = {
    accountId: "acc_1",
    actor: { kind: "credential", id: "crd_1" },
    requestId: "req_1",
    commandId: randomUUID(),
    causationId: null,
  } as const;
  return { id: randomUUID(), type, version: 1, at: 1_793_491_200_000, data, metadata };
}

/** Reads until `count` events have arrived, then ends the subscription. */
export async function takeEvents(
  store: Pick<EventStore, "subscribe">,
  count: number,
  options: Omit<SubscribeOptions, "signal">,
): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  const abort = new AbortController();
  if (count === 0) return events;
  for await (const batch of store.subscribe({ ...options, signal: abort.signal })) {
    events.push(...batch);
    if (events.length >= count) abort.abort();
  }
  return events;
}

/** The contract of every engine. Tests use their own streams and positions: engines may share a store. */
export function describeEventStore(name: string, open: () => Promise<OpenedEventStore>): void {
  describe(`event store contract: ${name}`, () => {
    let opened: OpenedEventStore;
    let store: EventStore;
    let stream: string;
    let start: bigint;

    beforeEach(async () => {
      opened = await open();
      store = opened.store;
      stream = `test-${randomUUID()}`;
      start = await store.head();
    });

    afterEach(async () => {
      await store.close();
      await opened.dispose();
    });

    describe("append", () => {
      test("answers revision and position of its last event", async () => {
        const first = await store.append(stream, NO_STREAM, [anEvent(), anEvent()]);
        const second = await store.append(stream, 1, [anEvent()]);
        expect([first.revision, second.revision]).toStrictEqual([1, 2]);
        const stored = await store.readStream(stream);
        expect([first.position, second.position]).toStrictEqual([stored[1]?.position, stored[2]?.position]);
        expect(first.position > start && second.position > first.position).toBe(true);
      });

      test("what it acknowledged is there for every reader", async () => {
        const event = anEvent({ seats: ["10A"] });
        const { position } = await store.append(stream, NO_STREAM, [event]);
        const recorded = { ...event, stream, revision: 0, position };
        expect(await store.readStream(stream)).toStrictEqual([recorded]);
        expect(await takeEvents(store, 1, { after: start })).toStrictEqual([recorded]);
      });

      test.each([
        ["a stream that is not there", 0, 0],
        ["a revision that has not come yet", 2, 5],
        ["a revision that is past", 2, 0],
        ["no stream where there is one", 2, NO_STREAM],
      ])("refuses %s, and stores nothing", async (_, stored, expected) => {
        const events = Array.from({ length: stored }, () => anEvent());
        if (stored > 0) await store.append(stream, NO_STREAM, events);
        const refused = await store.append(stream, expected, [anEvent(), anEvent()]).catch((error: unknown) => error);
        expect(refused).toBeInstanceOf(WrongExpectedRevision);
        expect(refused).toMatchObject({ stream, expected, actual: stored - 1 });
        expect(idsOf(await store.readStream(stream))).toStrictEqual(idsOf(events));
      });

      test("of 64 at once at one revision, one wins", async () => {
        await store.append(stream, NO_STREAM, [anEvent()]);
        const attempts = Array.from({ length: 64 }, () => anEvent());
        const results = await Promise.allSettled(attempts.map((event) => store.append(stream, 0, [event])));
        const won = results.flatMap((result, index) => (result.status === "fulfilled" ? [index] : []));
        const lost = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
        expect(won).toHaveLength(1);
        expect(lost.every((error) => error instanceof WrongExpectedRevision)).toBe(true);
        const stored = await store.readStream(stream);
        expect(stored.map((event) => event.id).slice(1)).toStrictEqual(won.map((index) => attempts[index]?.id));
      });

      test("a loser that reads again finds what it lost to", async () => {
        const [winner, loser] = [anEvent(), anEvent()];
        const winning = store.append(stream, NO_STREAM, [winner]);
        await expect(store.append(stream, NO_STREAM, [loser])).rejects.toBeInstanceOf(WrongExpectedRevision);
        expect(idsOf(await store.readStream(stream))).toStrictEqual([winner.id]);
        await winning;
      });

      test("many streams at once all get through, each in its order", async () => {
        const streams = Array.from({ length: 50 }, (_, index) => `${stream}-${index}`);
        const events = streams.map(() => Array.from({ length: 5 }, () => anEvent()));
        await Promise.all(
          streams.map(async (each, index) => {
            for (const [revision, event] of (events[index] ?? []).entries()) {
              await store.append(each, revision - 1, [event]);
            }
          }),
        );
        for (const [index, each] of streams.entries()) {
          const stored = await store.readStream(each);
          expect(idsOf(stored)).toStrictEqual(idsOf(events[index] ?? []));
          expect(stored.map((event) => event.revision)).toStrictEqual([0, 1, 2, 3, 4]);
        }
        const all = await takeEvents(store, 250, { after: start });
        expect(new Set(idsOf(all))).toStrictEqual(new Set(idsOf(events.flat())));
      });

      test("all events of one append or none", async () => {
        const events = Array.from({ length: 300 }, (_, index) => anEvent({ index }));
        const { revision } = await store.append(stream, NO_STREAM, events);
        expect(revision).toBe(299);
        expect(idsOf(await store.readStream(stream))).toStrictEqual(idsOf(events));
      });
    });

    describe("the same append again", () => {
      test("gets the first result and stores nothing", async () => {
        const events = [anEvent(), anEvent()];
        const first = await store.append(stream, NO_STREAM, events);
        expect(await store.append(stream, NO_STREAM, events)).toStrictEqual(first);
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      test("also while the first is under way", async () => {
        const events = [anEvent(), anEvent()];
        const results = await Promise.all([1, 2, 3].map(() => store.append(stream, NO_STREAM, events)));
        const [last] = (await store.readStream(stream)).slice(-1);
        const expected = { revision: 1, position: last?.position };
        expect(results).toStrictEqual([expected, expected, expected]);
        expect(await store.readStream(stream)).toHaveLength(2);
      });

      test("also after the stream has grown", async () => {
        await store.append(stream, NO_STREAM, [anEvent()]);
        const events = [anEvent(), anEvent()];
        const first = await store.append(stream, 0, events);
        await store.append(stream, 2, [anEvent()]);
        expect(await store.append(stream, 0, events)).toStrictEqual(first);
        expect(await store.readStream(stream)).toHaveLength(4);
      });

      test("keeps what was stored first", async () => {
        const event = anEvent({ amount: 1 });
        await store.append(stream, NO_STREAM, [event]);
        await store.append(stream, NO_STREAM, [{ ...event, data: { amount: 2 } }]);
        expect((await store.readStream(stream)).map(({ data }) => data)).toStrictEqual([{ amount: 1 }]);
      });

      test("is refused where new events are mixed with old ones", async () => {
        const [old, other] = [anEvent(), anEvent()];
        await store.append(stream, NO_STREAM, [old, other]);
        for (const mixed of [
          [old, anEvent()],
          [anEvent(), other],
          [old, other, anEvent()],
          [other, old],
        ]) {
          await expect(store.append(stream, NO_STREAM, mixed)).rejects.toBeInstanceOf(WrongExpectedRevision);
        }
        expect(await store.readStream(stream)).toHaveLength(2);
      });
    });

    describe("read a stream", () => {
      test("that is not there: nothing", async () => {
        expect(await store.readStream(stream)).toStrictEqual([]);
        expect(await store.readStream(stream, 3)).toStrictEqual([]);
      });

      test("from a revision on", async () => {
        const events = Array.from({ length: 6 }, () => anEvent());
        await store.append(stream, NO_STREAM, events.slice(0, 3));
        await store.append(stream, 2, events.slice(3));
        for (const from of [0, 1, 2, 3, 4, 5, 6, 9]) {
          const read = await store.readStream(stream, from);
          expect(idsOf(read)).toStrictEqual(idsOf(events.slice(from)));
          expect(read.map((event) => event.revision)).toStrictEqual([0, 1, 2, 3, 4, 5].slice(from));
        }
      });

      test("so many at most, and the rest of it in turn", async () => {
        const events = Array.from({ length: 6 }, () => anEvent());
        await store.append(stream, NO_STREAM, events.slice(0, 3));
        await store.append(stream, 2, events.slice(3));
        for (const most of [1, 2, 3, 4, 6, 7]) {
          for (let from = 0; from <= 6; from += most) {
            const read = await store.readStream(stream, from, most);
            expect(idsOf(read)).toStrictEqual(idsOf(events.slice(from, from + most)));
          }
        }
        await store.append(stream, 5, [anEvent()]);
        expect(await store.readStream(stream, 6)).toHaveLength(1);
      });

      test("gets no events of streams with a similar name", async () => {
        const names = [stream, `${stream}1`, `${stream}-`, `${stream} `, stream.slice(0, -1), stream.toUpperCase()];
        await Promise.all(names.map((name) => store.append(name, NO_STREAM, [anEvent({ name })])));
        for (const name of names) {
          const read = await store.readStream(name);
          expect(read.map((event) => [event.stream, event.data])).toStrictEqual([[name, { name }]]);
        }
      });
    });

    describe("what is stored", () => {
      test.each([
        ["null", null],
        ["truth values", { yes: true, no: false }],
        ["empty things", { object: {}, array: [], text: "" }],
        ["nested arrays", [[], [[1], [2, [3, null]]], [{ a: [{ b: [] }] }]]],
        ["large whole numbers", [0, 255, 65_536, 2 ** 31, 2 ** 32, 2 ** 32 + 1, 2 ** 53, Number.MAX_SAFE_INTEGER]],
        ["negative numbers", [-1, -32, -33, -128, -32_769, -(2 ** 31), -(2 ** 31) - 1, -(2 ** 53)]],
        ["fractions", [0.1, -2.5, 1e-300, 1.797e308, 1 / 3, 16_777_217.5]],
        [
          "text beyond ASCII",
          { name: "Zoë Ångström", kana: "宇宙旅行", emoji: "🚀👩‍🚀", nul: "a\u0000b", mark: "\ufeff" },
        ],
        [
          "one of one kind of object inside another",
          { a: { a: { a: { a: 1 } } }, list: [{ a: 1 }, { a: 2, b: 3 }, { b: 4 }] },
        ],
        ["text that looks like something else", ["__proto__", "constructor", "null", "1e3", '{"$gt":""}']],
      ])("%s comes back as it was", async (_, data) => {
        await store.append(stream, NO_STREAM, [anEvent(data), anEvent({ data })]);
        const read = await store.readStream(stream);
        expect(read.map((event) => event.data)).toStrictEqual([data, { data }]);
        const [first, second] = await takeEvents(store, 2, { after: start });
        expect([first?.data, second?.data]).toStrictEqual([data, { data }]);
      });

      test("many shapes come back as they were", async () => {
        const shapes = Array.from({ length: 200 }, (_, index) => ({
          [`field${index}`]: index,
          nested: { [`n${index}`]: [] },
        }));
        await store.append(
          stream,
          NO_STREAM,
          shapes.map((shape) => anEvent(shape)),
        );
        expect((await store.readStream(stream)).map((event) => event.data)).toStrictEqual(shapes);
      });

      test("all fields of an event", async () => {
        const event: EventToAppend = {
          id: randomUUID(),
          type: "Ünïcode…Type",
          version: 7,
          at: 4_102_444_800_123,
          data: { text: "x" },
          metadata: {
            accountId: null,
            actor: { kind: "system", id: "scheduler" },
            requestId: null,
            commandId: randomUUID(),
            causationId: randomUUID(),
          },
        };
        const { position } = await store.append(stream, NO_STREAM, [event]);
        expect(await store.readStream(stream)).toStrictEqual([{ ...event, stream, revision: 0, position }]);
      });

      test("a stream with a name beyond ASCII", async () => {
        const name = `${stream}-ñ-宇宙-🚀`;
        await store.append(name, NO_STREAM, [anEvent()]);
        expect((await store.readStream(name)).map((event) => event.stream)).toStrictEqual([name]);
      });

      test("events of 900 kB", async () => {
        const data = { text: "ä".repeat(450_000) };
        await Promise.all([
          store.append(stream, NO_STREAM, [anEvent(data)]),
          store.append(`${stream}-b`, NO_STREAM, [anEvent({ small: true })]),
          store.append(`${stream}-c`, NO_STREAM, [anEvent(data)]),
        ]);
        const all = await takeEvents(store, 3, { after: start, maxBatch: 1 });
        expect(all.map((event) => event.data)).toStrictEqual([data, { small: true }, data]);
        expect((await store.readStream(`${stream}-c`)).map((event) => event.data)).toStrictEqual([data]);
      });

      test("is not changed by what a caller does to its own objects", async () => {
        const data = { seats: ["10A"] };
        const appending = store.append(stream, NO_STREAM, [anEvent(data)]);
        data.seats.push("10B");
        await appending;
        data.seats.push("10C");
        for (const read of [await store.readStream(stream), await store.readStream(stream)]) {
          expect(read.map((event) => event.data)).toStrictEqual([{ seats: ["10A"] }]);
          for (const event of read) (event.data as typeof data).seats.push("10D");
        }
      });
    });

    describe("subscribe", () => {
      test("gives all events in the order of their positions, across streams", async () => {
        const names = Array.from({ length: 40 }, (_, index) => `${stream}-${index % 8}`);
        for (const [index, name] of names.entries())
          await store.append(name, Math.floor(index / 8) - 1, [anEvent({ index })]);
        const all = await takeEvents(store, 40, { after: start });
        expect(all.map((event) => event.data)).toStrictEqual(names.map((_, index) => ({ index })));
        const positions = all.map((event) => event.position);
        expect(positions).toStrictEqual([...new Set(positions)].sort((a, b) => (a < b ? -1 : 1)));
      });

      test("resumes behind the position it is given, wherever that is", async () => {
        const events = Array.from({ length: 7 }, () => anEvent());
        await store.append(stream, NO_STREAM, events.slice(0, 4));
        await store.append(stream, 3, events.slice(4));
        const stored = await store.readStream(stream);
        for (const [index, { position }] of stored.slice(0, -1).entries()) {
          const rest = await takeEvents(store, 6 - index, { after: position });
          expect(idsOf(rest)).toStrictEqual(idsOf(events.slice(index + 1)));
        }
      });

      test("goes on with new events as they come", async () => {
        await store.append(stream, NO_STREAM, [anEvent({ n: 0 })]);
        const abort = new AbortController();
        const seen: unknown[] = [];
        for await (const batch of store.subscribe({ after: start, signal: abort.signal })) {
          seen.push(...batch.map((event) => event.data));
          if (seen.length === 5) abort.abort();
          else await store.append(stream, seen.length - 1, [anEvent({ n: seen.length })]);
        }
        expect(seen).toStrictEqual([0, 1, 2, 3, 4].map((n) => ({ n })));
      });

      test("waits where there is nothing, and never gives an empty batch", async () => {
        const abort = new AbortController();
        const batches = store.subscribe({ after: start, signal: abort.signal })[Symbol.asyncIterator]();
        const next = batches.next();
        const event = anEvent();
        await store.append(stream, NO_STREAM, [event]);
        expect(idsOf((await next).value)).toStrictEqual([event.id]);
        abort.abort();
        expect((await batches.next()).done).toBe(true);
      });

      test("ends without an error when the signal aborts while it waits", async () => {
        const abort = new AbortController();
        const batches = store.subscribe({ after: start, signal: abort.signal })[Symbol.asyncIterator]();
        const next = batches.next();
        abort.abort();
        expect((await next).done).toBe(true);
      });

      test("gives nothing where the signal has aborted before", async () => {
        await store.append(stream, NO_STREAM, [anEvent()]);
        const batches = store.subscribe({ after: start, signal: AbortSignal.abort() })[Symbol.asyncIterator]();
        expect((await batches.next()).done).toBe(true);
      });

      test("ends at the next batch boundary when the signal aborts", async () => {
        await store.append(
          stream,
          NO_STREAM,
          Array.from({ length: 10 }, () => anEvent()),
        );
        const abort = new AbortController();
        let events = 0;
        for await (const batch of store.subscribe({ after: start, signal: abort.signal, maxBatch: 3 })) {
          events += batch.length;
          abort.abort();
        }
        expect(events).toBeGreaterThan(0);
        expect(events).toBeLessThanOrEqual(3);
      });

      test.each([1, 7, 64, 1_000])("makes batches of at most %d", async (maxBatch) => {
        const events = Array.from({ length: 200 }, () => anEvent());
        await store.append(stream, NO_STREAM, events.slice(0, 150));
        for (const [index, event] of events.slice(150).entries()) await store.append(stream, 149 + index, [event]);
        const sizes: number[] = [];
        const ids: string[] = [];
        const abort = new AbortController();
        for await (const batch of store.subscribe({ after: start, signal: abort.signal, maxBatch })) {
          sizes.push(batch.length);
          ids.push(...idsOf(batch));
          if (ids.length === 200) abort.abort();
        }
        expect(Math.max(...sizes)).toBeLessThanOrEqual(maxBatch);
        expect(Math.min(...sizes)).toBeGreaterThan(0);
        expect(ids).toStrictEqual(idsOf(events));
      });

      test("a slow reader loses nothing while others append", async () => {
        const events = Array.from({ length: 120 }, () => anEvent());
        const abort = new AbortController();
        const ids: string[] = [];
        let appended = 0;
        for await (const batch of appendFirst(store.subscribe({ after: start, signal: abort.signal, maxBatch: 2 }))) {
          ids.push(...idsOf(batch));
          const more = events.slice(appended, appended + 5);
          if (more.length > 0) await store.append(stream, appended - 1, more);
          appended += more.length;
          if (ids.length === 120) abort.abort();
        }
        expect(ids).toStrictEqual(idsOf(events));

        async function* appendFirst(batches: AsyncIterable<readonly RecordedEvent[]>) {
          await store.append(stream, NO_STREAM, events.slice(0, 5));
          appended = 5;
          yield* batches;
        }
      });

      test("several readers do not disturb each other", async () => {
        const events = Array.from({ length: 30 }, () => anEvent());
        const readers = [1, 4, 100].map((maxBatch) => takeEvents(store, 30, { after: start, maxBatch }));
        for (const [index, event] of events.entries()) await store.append(stream, index - 1, [event]);
        for (const read of await Promise.all(readers)) expect(idsOf(read)).toStrictEqual(idsOf(events));
      });

      test("a reader may stop in the middle", async () => {
        await store.append(
          stream,
          NO_STREAM,
          Array.from({ length: 10 }, () => anEvent()),
        );
        const signal = new AbortController().signal;
        for await (const batch of store.subscribe({ after: start, signal, maxBatch: 3 })) {
          expect(batch.length).toBeGreaterThan(0);
          break;
        }
        expect(await takeEvents(store, 10, { after: start })).toHaveLength(10);
      });
    });

    describe("which log it is", () => {
      /** What the subscription ends with, if it ends before its first batch. */
      const subscribed = async (after: bigint, afterEvent: string | null) =>
        takeEvents(store, 1, { after, afterEvent }).catch((error: unknown) => error);

      test("the id of the event at a position, and of none where there is none", async () => {
        const [first, second] = [anEvent(), anEvent()];
        const { position } = await store.append(stream, NO_STREAM, [first, second]);
        const [before] = await store.readStream(stream);
        expect(await store.eventIdAt(before?.position ?? START)).toBe(first.id);
        expect(await store.eventIdAt(position)).toBe(second.id);
        expect(await store.eventIdAt(position + 1n)).toBeUndefined();
        expect(await store.eventIdAt(2n ** 50n)).toBeUndefined();
      });

      test("a subscription behind an event that the log has", async () => {
        const [first, second] = [anEvent(), anEvent()];
        const { position } = await store.append(stream, NO_STREAM, [first]);
        await store.append(stream, 0, [second]);
        expect(idsOf((await subscribed(position, first.id)) as RecordedEvent[])).toStrictEqual([second.id]);
        expect(idsOf((await subscribed(position, null)) as RecordedEvent[])).toStrictEqual([second.id]);
        expect(await takeEvents(store, 1, { after: START, afterEvent: null })).not.toHaveLength(0);
      });

      test("and behind one that it lacks", async () => {
        const { position } = await store.append(stream, NO_STREAM, [anEvent()]);
        const lacked = [
          [position, randomUUID()],
          [position + 1n, randomUUID()],
          [2n ** 50n, null],
        ] as const;
        for (const [after, id] of lacked) expect(await subscribed(after, id)).toBeInstanceOf(AnotherLog);
      });
    });

    test("the head is the position of the last event", async () => {
      const { position } = await store.append(stream, NO_STREAM, [anEvent(), anEvent()]);
      expect(await store.head()).toBe(position);
      const later = await store.append(stream, 1, [anEvent()]);
      expect(await store.head()).toBe(later.position);
    });

    test("closing finishes what was accepted, and refuses what comes after", async () => {
      const accepted = Array.from({ length: 20 }, (_, index) =>
        store.append(`${stream}-${index}`, NO_STREAM, [anEvent()]),
      );
      const closed = store.close();
      expect((await Promise.all(accepted)).map(({ revision }) => revision)).toStrictEqual(accepted.map(() => 0));
      await closed;
      const refused = await store.append(stream, NO_STREAM, [anEvent()]).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(EventStoreUnavailable);
      expect(refused).toMatchObject({ outcomeUnknown: false });
    });
  });
}

function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}
