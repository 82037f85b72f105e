import { describe, expect, test } from "@jest/globals";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import { realTime } from "@travel-booking/runtime/real-time";
import type { CommandContext } from "../../src/command-handling/command.ts";
import { CommandHandler } from "../../src/command-handling/command-handler.ts";
import { copyableCounter } from "./counter.ts";
import { ScriptedEventStore } from "./scripted-event-store.ts";

const STREAM = "counter-1";
/** Whoever has met goes on meeting. */
const STANDING_STILL = { ...realTime, now: () => 0 };

/** Two processes on one log, and a command that both may be given. */
function setUp() {
  const store = new ScriptedEventStore(false);
  const clock = new ManualClock(1_000);
  const ids = sequentialCommandIds();
  const handlerOn = () => new CommandHandler({ store, clock, ids, realTime: STANDING_STILL, random: () => 0 });
  const contextOf = (repeated: () => boolean, commandId = ids.next()): CommandContext => ({
    accountId: "acc_1",
    actor: { kind: "credential", id: "crd_1" },
    requestId: null,
    causationId: null,
    commandId,
    attempt: {
      get repeated() {
        return repeated();
      },
    },
  });
  const count = (handler: CommandHandler, by: number, context = contextOf(() => false)) =>
    handler.execute({
      stream: STREAM,
      decider: copyableCounter,
      command: { type: "Count", by },
      context,
      reply: (state, events) => ({ total: state.total, at: events.map((event) => event.at) }),
    });
  const recorded = async () => (await store.inner.readStream(STREAM)).map(({ data }) => (data as { by: number }).by);
  return { store, clock, ids, contextOf, count, recorded, one: handlerOn(), two: handlerOn() };
}

describe("an attempt that was stalled while another one took over", () => {
  test("before it read the stream: it finds what the other one recorded", async () => {
    const { count, recorded, contextOf, one, two } = setUp();
    await count(two, 10);
    const { commandId } = contextOf(() => false);
    await count(
      two,
      5,
      contextOf(() => true, commandId),
    );
    const late = await count(
      one,
      5,
      contextOf(() => true, commandId),
    );
    expect(late).toMatchObject({ accepted: true, reply: { total: 15, at: [1_000] } });
    expect(await recorded()).toStrictEqual([10, 5]);
  });

  test("while it read the stream: it is asked again once that is done", async () => {
    const { store, count, recorded, contextOf, one, two } = setUp();
    await count(two, 10);
    const { commandId } = contextOf(() => false);
    let overtaken = false;
    const reading = store.readStream.bind(store);
    store.readStream = async (stream, from) => {
      if (!overtaken) {
        overtaken = true;
        await count(
          two,
          5,
          contextOf(() => true, commandId),
        );
      }
      return reading(stream, from);
    };
    const late = await count(
      one,
      5,
      contextOf(() => overtaken, commandId),
    );
    expect(late).toMatchObject({ accepted: true, reply: { total: 15 } });
    expect(await recorded()).toStrictEqual([10, 5]);
  });

  test("with the stream in its memory: what it does not have yet is found by the append", async () => {
    const { store, count, recorded, contextOf, one, two } = setUp();
    await count(one, 10);
    const { commandId } = contextOf(() => false);
    await count(
      two,
      5,
      contextOf(() => true, commandId),
    );
    store.reads.length = 0;
    // It was asked just before the other one began.
    const late = await count(
      one,
      5,
      contextOf(() => false, commandId),
    );
    expect(late).toMatchObject({ accepted: true, reply: { total: 15 } });
    expect(await recorded()).toStrictEqual([10, 5]);
  });

  test("having read the other one's event for somebody else: it looks where that was", async () => {
    const { count, recorded, contextOf, one, two } = setUp();
    await count(one, 10);
    const { commandId } = contextOf(() => false);
    await count(
      two,
      5,
      contextOf(() => true, commandId),
    );
    await count(one, 1);
    const late = await count(
      one,
      5,
      contextOf(() => true, commandId),
    );
    expect(late).toMatchObject({ accepted: true, reply: { total: 16 } });
    expect(await recorded()).toStrictEqual([10, 5, 1]);
  });

  test("told that it is to stop, it stops, and the commands beside it do not", async () => {
    const { count, recorded, contextOf, one } = setUp();
    const stop = () => {
      throw new Error("overtaken");
    };
    const [before, stopped, after] = [count(one, 1), count(one, 2, contextOf(stop)), count(one, 3)];
    await expect(stopped).rejects.toThrow("overtaken");
    expect([(await before).accepted, (await after).accepted]).toStrictEqual([true, true]);
    expect(await recorded()).toStrictEqual([1, 3]);
  });

  test("that had refused it by then: it decides nothing before it knows, though it would accept now", async () => {
    const { store, count, recorded, contextOf, one, two } = setUp();
    await count(two, 100);
    const context = contextOf(() => false);
    const refused = await count(two, 5, { ...context, attempt: { repeated: true } });
    expect(refused).toMatchObject({ accepted: false, rejection: { code: "full" } });
    await count(two, -50);
    let asked = 0;
    const attempt = {
      get repeated() {
        if (asked > 2) throw new Error("overtaken");
        return true;
      },
      get lapsed() {
        asked += 1;
        return true;
      },
    };
    const late = count(one, 5, { ...context, attempt });
    await expect(late).rejects.toThrow("overtaken");
    expect(await recorded()).toStrictEqual([100, -50]);
    expect(store.attempts).toHaveLength(2);
  });

  test("while it waits to know, others on the stream go on; it goes on itself once none has taken over", async () => {
    const { count, recorded, contextOf, one } = setUp();
    let isLapsed = true;
    const attempt = {
      repeated: false,
      get lapsed() {
        return isLapsed;
      },
    };
    const late = count(one, 5, { ...contextOf(() => false), attempt });
    for (const by of [1, 2]) expect(await count(one, by)).toMatchObject({ accepted: true });
    expect(await recorded()).toStrictEqual([1, 2]);
    isLapsed = false;
    expect(await late).toMatchObject({ accepted: true, reply: { total: 8 } });
  });

  test("refused by both, it is refused", async () => {
    const { count, recorded, contextOf, one, two } = setUp();
    await count(two, 100);
    const { commandId } = contextOf(() => false);
    for (const handler of [two, one]) {
      const outcome = await count(
        handler,
        5,
        contextOf(() => true, commandId),
      );
      expect(outcome).toMatchObject({ accepted: false, rejection: { code: "full" } });
    }
    expect(await recorded()).toStrictEqual([100]);
  });
});

test("of two attempts that decide on the same state, each at its own moment, both are answered by the one recorded", async () => {
  const { store, clock, count, contextOf, one, two } = setUp();
  await count(one, 10);
  await count(two, 0);
  const { commandId } = contextOf(() => false);
  const gate = store.blockAppends();
  const first = count(
    one,
    5,
    contextOf(() => true, commandId),
  );
  await store.appendBlocked();
  clock.advance(7);
  const second = count(
    two,
    5,
    contextOf(() => true, commandId),
  );
  gate.open();
  const answers = await Promise.all([first, second]);
  expect(answers.map((answer) => answer.accepted && answer.reply)).toStrictEqual([
    { total: 15, at: [1_000] },
    { total: 15, at: [1_000] },
  ]);
  expect((await store.inner.readStream(STREAM)).map(({ at }) => at)).toStrictEqual([1_000, 1_000]);
});

test("a repeated command is searched for once, and after a conflict only in what follows the last read", async () => {
  const { store, count, contextOf, one, two } = setUp();
  for (let n = 0; n < 4; n++) for (const handler of [two, one]) await count(handler, 1);
  store.reads.length = 0;
  const append = store.append.bind(store);
  store.append = async (stream, revision, events) => {
    store.append = append;
    await count(two, 1);
    return append(stream, revision, events);
  };
  expect(
    await count(
      one,
      1,
      contextOf(() => true),
    ),
  ).toMatchObject({ accepted: true, reply: { total: 10 } });
  // All of it by the one; after a conflict, by each from where it last read.
  expect(store.reads).toStrictEqual([0, 6, 7]);
});

describe("a process that was stopped with an append under way", () => {
  const withLapsed = (context: CommandContext, lapsed: () => boolean): CommandContext => ({
    ...context,
    attempt: {
      repeated: false,
      get lapsed() {
        return lapsed();
      },
    },
  });

  test("repeats it, once it knows that no other attempt has begun", async () => {
    const { store, count, recorded, contextOf, one } = setUp();
    store.faults.push("lost-before");
    // Its lease has lapsed meanwhile, and is renewed soon.
    const answers = [false, true, true];
    const context = contextOf(() => false);
    const counted = await count(
      one,
      5,
      withLapsed(context, () => answers.shift() ?? false),
    );
    expect(counted).toMatchObject({ accepted: true, reply: { total: 5 } });
    expect([await recorded(), answers]).toStrictEqual([[5], []]);
    expect(store.attempts[1]).toStrictEqual(store.attempts[0]);
  });

  test("leaves it alone where another one has taken over", async () => {
    const { store, count, contextOf, one } = setUp();
    store.faults.push("lost-before");
    let asked = 0;
    const context = withLapsed(
      contextOf(() => false),
      () => {
        if (asked++ > 0) throw new Error("overtaken");
        return false;
      },
    );
    await expect(count(one, 5, context)).rejects.toMatchObject({ outcomeUnknown: true });
    expect(store.attempts).toHaveLength(1);
  });
});
