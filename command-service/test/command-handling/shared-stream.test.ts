import { describe, expect, test } from "@jest/globals";
import { AppendRefused, EventStoreUnavailable, WrongExpectedRevision } from "@travel-booking/engines/event-store";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import { StreamBusy } from "../../src/command-handling/command.ts";
import { CommandHandler } from "../../src/command-handling/command-handler.ts";
import { copyableCounter, counterDecider } from "./counter.ts";
import { ScriptedEventStore } from "./scripted-event-store.ts";

const STREAM = "counter-1";

function setUp(exclusive = false) {
  const store = new ScriptedEventStore(exclusive);
  const clock = new ManualClock(1_000);
  const ids = sequentialCommandIds();
  /** Real time, of which every pause takes as long as it was asked to. */
  const time = {
    passed: 0,
    pauses: [] as number[],
    now: () => time.passed,
    pause: async (milliseconds: number) => {
      time.pauses.push(milliseconds);
      time.passed += milliseconds;
    },
  };
  const handlerOn = () => new CommandHandler({ store, clock, ids, realTime: time, random: () => 0.5 });
  const context = () => ({
    accountId: "acc_1",
    actor: { kind: "credential", id: "crd_1" } as const,
    requestId: null,
    causationId: null,
    commandId: ids.next(),
    attempt: { repeated: false },
  });
  const count = (handler: CommandHandler, by: number, decider = copyableCounter) =>
    handler.execute({
      stream: STREAM,
      decider,
      command: { type: "Count", by },
      context: context(),
      reply: (state) => state.total,
    });
  return { store, clock, time, context, count, handlerOn, one: handlerOn(), two: handlerOn() };
}

const accepted = (reply: number) => expect.objectContaining({ accepted: true, reply });

describe("after a conflict", () => {
  test("the stream is read from where it was read before, from the second one on", async () => {
    const { store, count, one, two } = setUp();
    for (let n = 0; n < 10; n++) await count(one, 1);
    await count(two, 1);
    store.reads.length = 0;
    expect(await count(one, 1)).toStrictEqual(accepted(12));
    expect(store.reads).toStrictEqual([0]);
    for (const total of [13, 15, 17, 19]) {
      store.reads.length = 0;
      expect(await count(two, 1)).toStrictEqual(accepted(total));
      expect(await count(one, 1)).toStrictEqual(accepted(total + 1));
      expect(store.reads).toStrictEqual([total === 13 ? 0 : total - 3, total - 2]);
    }
  });

  test("nothing is left of what could not be stored", async () => {
    const { store, count, one, two } = setUp();
    for (const [by, total] of [
      [3, 3],
      [-2, 1],
      [40, 41],
      [59, 100],
    ] as const) {
      expect(await count(one, by)).toStrictEqual(accepted(total));
      expect(await count(two, -1)).toStrictEqual(accepted(total - 1));
      expect(await count(two, 1)).toStrictEqual(accepted(total));
    }
    expect(await count(one, 1)).toMatchObject({ accepted: false, rejection: { facts: { total: 100 } } });
    expect(await store.inner.readStream(STREAM)).toHaveLength(12);
  });

  test.each([
    ["lost-before", 7],
    ["lost-after", 17],
  ] as const)("and after an append whose outcome nobody knew (%s)", async (fault, total) => {
    const { store, count, one, two } = setUp();
    for (let n = 0; n < 3; n++) for (const handler of [two, one]) await count(handler, 1);
    store.faults.push(fault, ...new Array(100).fill("lost-before"));
    await expect(count(one, 10)).rejects.toThrow("lost");
    store.faults.length = 0;
    expect(await count(one, 1)).toStrictEqual(accepted(total));
    expect(await count(two, 1)).toStrictEqual(accepted(total + 1));
  });

  test.each([
    ["at first", 1],
    ["at all", Number.POSITIVE_INFINITY],
  ])("and where it can't be read %s whether an append of unknown outcome lost to another", async (_, failures) => {
    const { store, count, one, two } = setUp();
    for (const handler of [one, two]) await count(handler, 1);
    const append = store.append.bind(store);
    const readStream = store.readStream.bind(store);
    let left = failures;
    store.faults.push("lost-before");
    store.append = async (...batch) => {
      if (store.attempts.length === 3) {
        store.append = append;
        await count(two, 1);
        store.readStream = async (...from) => {
          left -= 1;
          if (left >= 0) throw new EventStoreUnavailable("away", { outcomeUnknown: false });
          return readStream(...from);
        };
      }
      return append(...batch);
    };
    const counting = count(one, 10);
    if (failures === 1) expect(await counting).toStrictEqual(accepted(13));
    else await expect(counting).rejects.toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: true });
  });

  test("an append of unknown outcome is not repeated once one of its commands may have been taken over", async () => {
    const { store, count, context, one } = setUp();
    await count(one, 1);
    let overtaken = false;
    const append = store.append.bind(store);
    store.faults.push("lost-before", "lost-before");
    store.append = (...batch) => {
      overtaken = store.attempts.length === 2;
      return append(...batch);
    };
    const own = context();
    const counted = one.execute({
      stream: STREAM,
      decider: copyableCounter,
      command: { type: "Count", by: 10 },
      context: {
        ...own,
        attempt: {
          repeated: false,
          get lapsed() {
            return overtaken;
          },
        },
      },
      reply: () => undefined,
    });
    await expect(counted).rejects.toMatchObject({ name: "EventStoreUnavailable", outcomeUnknown: true });
    expect(store.attempts).toHaveLength(3);
    expect(await count(one, 1)).toStrictEqual(accepted(2));
  });

  test("states that can't be copied are read anew", async () => {
    const { store, count, one, two } = setUp();
    for (let n = 0; n < 4; n++) for (const handler of [one, two]) await count(handler, 1, counterDecider);
    store.reads.length = 0;
    expect(await count(one, 1, counterDecider)).toStrictEqual(accepted(9));
    expect(store.reads).toStrictEqual([0]);
  });

  test("streams of a store that belongs to one process alone are never copied", async () => {
    const { count, one, two } = setUp(true);
    const copying = () => {
      throw new Error("copied");
    };
    for (let n = 0; n < 4; n++)
      for (const handler of [one, two]) await count(handler, 1, { ...counterDecider, copy: copying });
    expect(await count(one, 0, { ...counterDecider, copy: copying })).toMatchObject({ accepted: true });
  });

  test("in a long run without one the copy is let go", async () => {
    const { store, time, count, one, two } = setUp();
    for (let n = 0; n < 3; n++) for (const handler of [one, two]) await count(handler, 1);
    time.passed += 60_000;
    await count(two, 1);
    await count(two, 1);
    await count(one, 1);
    store.reads.length = 0;
    await count(two, 1);
    expect(store.reads).toStrictEqual([0]);
  });
});

describe("taking turns", () => {
  test("conflicts in a row are paused between, and are not repeated for ever", async () => {
    const { store, time, count, one } = setUp();
    await count(one, 1);
    time.pauses.length = 0;
    store.append = async (stream, revision) => {
      store.attempts.push({ stream, expectedRevision: revision, ids: [] });
      throw new WrongExpectedRevision(stream, revision, revision + 1);
    };
    await expect(count(one, 1)).rejects.toThrow(StreamBusy);
    expect(store.attempts).toHaveLength(1 + 21);
    expect(time.pauses).toStrictEqual([2, 4, ...new Array(17).fill(8)]);
  });

  test("one that has met others lets them have a turn after each of its appends", async () => {
    const { store, time, count, one, two } = setUp();
    const append = store.append.bind(store);
    store.append = async (...batch) => {
      time.passed += 3;
      return append(...batch);
    };
    await count(one, 1);
    await count(one, 1);
    expect(time.pauses).toStrictEqual([]);
    await count(two, 1);
    await count(one, 1);
    await count(one, 1);
    expect(time.pauses).toStrictEqual([4.5]);
    time.passed += 60_000;
    time.pauses.length = 0;
    for (let n = 0; n < 3; n++) await count(one, 1);
    expect(time.pauses).toStrictEqual([]);
  });

  test("one that never rests does now and then, for those who never get through", async () => {
    const { store, time, count, one } = setUp();
    const append = store.append.bind(store);
    store.append = async (...batch) => {
      time.passed += 3;
      return append(...batch);
    };
    for (let n = 0; n < 30; n++) await count(one, 1);
    expect(time.pauses.length).toBe(6);
  });

  test("a process that is alone never pauses", async () => {
    const { time, count, one } = setUp(true);
    for (let n = 0; n < 30; n++) await count(one, 1);
    expect(time.pauses).toStrictEqual([]);
  });
});

describe("a store that takes less at once than there is", () => {
  /** At most so much counted in one append. */
  function limit(store: ScriptedEventStore, most: number) {
    const append = store.append.bind(store);
    store.append = async (stream, revision, events) => {
      const sum = events.reduce((total, { data }) => total + (data as { by: number }).by, 0);
      if (sum > most) throw new AppendRefused(`${sum} is too much`);
      return append(stream, revision, events);
    };
  }

  test("gets a batch in parts, in order", async () => {
    const { store, count, one } = setUp();
    limit(store, 4);
    const counts = await Promise.all(Array.from({ length: 12 }, () => count(one, 1)));
    expect(counts).toStrictEqual(counts.map((_, index) => accepted(index + 1)));
    expect(store.attempts.flatMap(({ ids }) => ids)).toHaveLength(12);
  });

  test("refuses only the command that is too large alone", async () => {
    const { store, count, one } = setUp();
    limit(store, 4);
    const counts = await Promise.all([1, 3, 5, 2, 4].map((by) => count(one, by)));
    const refused = { accepted: false, rejection: { code: "request_too_large" }, position: 2n };
    expect(counts).toStrictEqual([accepted(1), accepted(4), refused, accepted(6), accepted(10)]);
  });
});
