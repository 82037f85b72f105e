import { describe, expect, test } from "@jest/globals";
import { EventStoreUnavailable, NO_STREAM } from "@travel-booking/engines/event-store";
import { eventId, ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import type { CommandContext } from "../../src/command-handling/command.ts";
import { CommandHandler } from "../../src/command-handling/command-handler.ts";
import { EventCounts } from "../../src/command-handling/event-counts.ts";
import { counterDecider } from "./counter.ts";
import { ScriptedEventStore } from "./scripted-event-store.ts";

const STREAM = "counter-1";

function setUp(exclusive = true) {
  const store = new ScriptedEventStore(exclusive);
  const clock = new ManualClock(1_000);
  const ids = sequentialCommandIds();
  const context = (overrides: Partial<CommandContext> = {}): CommandContext => ({
    accountId: "acc_1",
    actor: { kind: "credential", id: "crd_1" },
    requestId: "req_1",
    causationId: null,
    commandId: ids.next(),
    attempt: { repeated: false },
    ...overrides,
  });
  const handlerOn = (soleWriter = exclusive) =>
    new CommandHandler({ store, clock, soleWriter, realTime: standingStill() });
  const count = (handler: CommandHandler, by: number, own: CommandContext = context()) =>
    handler.execute({
      stream: STREAM,
      decider: counterDecider,
      command: { type: "Count", by },
      context: own,
      reply: (state, events) => ({ total: state.total, events: events.length }),
    });
  return { store, clock, context, count, handler: handlerOn(), handlerOn };
}

/** Real time, of which every pause takes as long as it was asked to. */
function standingStill() {
  let now = 0;
  return {
    now: () => now,
    pause: async (milliseconds: number) => {
      now += milliseconds;
    },
  };
}

test("business events are counted by type, and no others", async () => {
  const counts = new EventCounts();
  counts.add([{ type: "BookingCreated" }, { type: "PaymentStarted" }, { type: "BookingCreated" }, { type: "Unknown" }]);
  const counted = Object.fromEntries(counts.entries());
  expect(counted).toMatchObject({ BookingCreated: 2, PaymentStarted: 1, PaymentFailed: 0 });
  expect(counted).not.toHaveProperty("Unknown");
});

describe("reading streams", () => {
  const read = (handler: CommandHandler) =>
    handler.readState({ stream: STREAM, decider: counterDecider, reply: ({ total }) => total });

  test("a stream that does not exist is read from the store once, and then remembered", async () => {
    const { store, handler, count } = setUp();
    for (let time = 0; time < 1_000; time += 1) expect(await read(handler)).toBe(0);
    expect(store.reads).toStrictEqual([0]);
    await count(handler, 3);
    expect(await read(handler)).toBe(3);
    expect(store.reads).toHaveLength(1);
  });

  test("a read waits for the commands before it", async () => {
    const { handler, count } = setUp();
    const counted = count(handler, 3);
    expect(await read(handler)).toBe(3);
    await counted;
  });
});

describe("handling commands", () => {
  test("answers from the state right after the decision, with the position the answer rests on", async () => {
    const { count, handler } = setUp();
    expect(await count(handler, 3)).toStrictEqual({ accepted: true, reply: { total: 3, events: 1 }, position: 1n });
    expect(await count(handler, 4)).toStrictEqual({ accepted: true, reply: { total: 7, events: 1 }, position: 2n });
  });

  test("a no-op and a rejection rest on the last event", async () => {
    const { count, handler } = setUp();
    await count(handler, 60);
    expect(await count(handler, 0)).toStrictEqual({ accepted: true, reply: { total: 60, events: 0 }, position: 1n });
    expect(await count(handler, 50)).toStrictEqual({
      accepted: false,
      rejection: { code: "full", facts: { total: 60 } },
      position: 1n,
    });
  });

  test("events carry who, what and when; their ids derive from the command's", async () => {
    const { store, count, handler, context } = setUp();
    const own = context();
    await count(handler, 1, own);
    const [event] = await store.readStream(STREAM);
    expect(event).toStrictEqual({
      id: eventId(own.commandId, 0),
      type: "Counted",
      version: 1,
      at: 1_000,
      data: { by: 1 },
      metadata: {
        accountId: "acc_1",
        actor: { kind: "credential", id: "crd_1" },
        requestId: "req_1",
        commandId: own.commandId,
        causationId: null,
      },
      stream: STREAM,
      revision: 0,
      position: 1n,
    });
  });

  test("five hundred at once on one stream: each decided on the one before, none over the limit, few appends", async () => {
    const { store, count, handler } = setUp();
    const outcomes = await Promise.all(Array.from({ length: 500 }, () => count(handler, 1)));
    const totals = outcomes.flatMap((outcome) => (outcome.accepted ? [outcome.reply.total] : []));
    expect(totals).toStrictEqual(Array.from({ length: 100 }, (_, index) => index + 1));
    expect(await store.readStream(STREAM)).toHaveLength(100);
    expect(store.attempts.length).toBeLessThan(5);
  });

  test("time in one stream never goes back", async () => {
    const { store, count, clock, handlerOn } = setUp();
    clock.set(5_000);
    await count(handlerOn(), 1);
    await new CommandHandler({ store, clock: new ManualClock(2_000) }).execute({
      stream: STREAM,
      decider: counterDecider,
      command: { type: "Count", by: 1 },
      context: { ...setUp().context(), commandId: "00000000-00ff-7000-8000-000000000000" },
      reply: () => undefined,
    });
    expect((await store.readStream(STREAM)).map((event) => event.at)).toStrictEqual([5_000, 5_000]);
  });

  test("a conflict is decided anew on what the other one wrote", async () => {
    const { store, count, handlerOn } = setUp();
    const [one, other] = [handlerOn(), handlerOn()];
    await count(one, 50);
    await count(other, 30);
    expect(await count(one, 30)).toStrictEqual({
      accepted: false,
      rejection: { code: "full", facts: { total: 80 } },
      position: 2n,
    });
    expect(await store.readStream(STREAM)).toHaveLength(2);
  });

  test("where others write too, a rejection is only given on the end of the stream", async () => {
    const { store, count, handlerOn } = setUp(false);
    const [one, other] = [handlerOn(), handlerOn()];
    await count(one, 90);
    await count(other, -80);
    expect(await count(one, 50)).toStrictEqual({ accepted: true, reply: { total: 60, events: 1 }, position: 3n });
    expect(await store.readStream(STREAM)).toHaveLength(3);
  });

  describe("the only process that writes to a store of several", () => {
    test("looks, refuses and changes nothing without a read", async () => {
      const { store, count, handlerOn } = setUp(false);
      const handler = handlerOn(true);
      await count(handler, 90);
      store.reads.length = 0;
      const read = () => handler.readState({ stream: STREAM, decider: counterDecider, reply: ({ total }) => total });
      expect(await read()).toBe(90);
      expect(await count(handler, 50)).toMatchObject({ accepted: false, rejection: { code: "full" } });
      expect(await count(handler, 0)).toMatchObject({ accepted: true, reply: { total: 90, events: 0 } });
      expect(store.reads).toStrictEqual([]);
    });

    test.each(["lost-before", "lost-after"] as const)(
      "settles an append that stayed unknown (%s) before it believes what it has folded",
      async (fault) => {
        const { store, count, handlerOn } = setUp(false);
        const handler = handlerOn(true);
        await count(handler, 1);
        const append = store.append.bind(store);
        store.faults.push(fault);
        let refused = 0;
        store.append = async (...batch) => {
          if (store.attempts.length === 1) return append(...batch);
          refused += 1;
          throw new EventStoreUnavailable("away", { outcomeUnknown: true });
        };
        await expect(count(handler, 10)).rejects.toMatchObject({ outcomeUnknown: true });
        refused = 0;
        // Of what comes behind it nothing is attempted, and it waits for one look only.
        await expect(count(handler, 10)).rejects.toMatchObject({ outcomeUnknown: false });
        expect(refused).toBe(1);
        store.append = append;
        const read = () => handler.readState({ stream: STREAM, decider: counterDecider, reply: ({ total }) => total });
        expect(await read()).toBe(11);
        expect(await store.inner.readStream(STREAM)).toHaveLength(2);
      },
    );
  });

  test.each(["lost-before", "lost-after"] as const)(
    "an append whose answer was %s is repeated unchanged",
    async (fault) => {
      const { store, count, handler } = setUp();
      await count(handler, 1);
      store.faults.push(fault);
      expect(await count(handler, 2)).toMatchObject({ accepted: true, reply: { total: 3, events: 1 } });
      expect(store.attempts).toHaveLength(3);
      expect(store.attempts[2]).toStrictEqual(store.attempts[1]);
      expect(await store.readStream(STREAM)).toHaveLength(2);
      expect(await count(handler, 4)).toMatchObject({ accepted: true, reply: { total: 7, events: 1 } });
    },
  );

  test("what was not attempted fails, and the next command is decided on what is stored", async () => {
    const { store, count, handler } = setUp();
    store.faults.push("refused");
    await expect(count(handler, 90)).rejects.toThrow(EventStoreUnavailable);
    expect(await count(handler, 20)).toStrictEqual({ accepted: true, reply: { total: 20, events: 1 }, position: 1n });
  });

  test("a command repeated after a crash is answered by what it recorded, and records nothing", async () => {
    const { store, count, handlerOn, context } = setUp();
    const own = context();
    await count(handlerOn(), 60, own);
    const again = await count(handlerOn(), 60, { ...own, attempt: { repeated: true } });
    expect(again).toStrictEqual({ accepted: true, reply: { total: 60, events: 1 }, position: 1n });
    expect(await store.readStream(STREAM)).toHaveLength(1);
  });

  test("a repeated command that had recorded nothing is decided", async () => {
    const { count, handler, context } = setUp();
    expect(await count(handler, 60, context({ attempt: { repeated: true } }))).toMatchObject({
      accepted: true,
      reply: { total: 60 },
    });
  });

  test("a command that two processes repeat at once is recorded once", async () => {
    const { store, count, handlerOn, context } = setUp(false);
    const [one, other] = [handlerOn(), handlerOn()];
    await count(handlerOn(), 10);
    const own = { ...context(), attempt: { repeated: true } };
    const twin = { during: () => count(other, 5, own) };
    const reading = store.readStream.bind(store);
    store.readStream = async (stream, fromRevision) => {
      const events = await reading(stream, fromRevision);
      const { during } = twin;
      twin.during = async () => ({ accepted: false, rejection: { code: "full" }, position: 0n });
      await during();
      return events;
    };
    const counted = { accepted: true, reply: { total: 15, events: 1 }, position: 2n };
    expect(await count(one, 5, own)).toStrictEqual(counted);
    expect(await store.inner.readStream(STREAM)).toHaveLength(2);
  });

  test("what a refusal records is not taken for the command's own when it is repeated", async () => {
    const { store, count, handlerOn, context } = setUp();
    const own = context();
    await count(handlerOn(), 100);
    const lapsing = {
      ...counterDecider,
      decide: () => ({
        events: [{ type: "Counted" as const, at: 1_000, data: { by: 0 } }],
        rejection: { code: "full" as const },
      }),
    };
    const refused = async (handler: CommandHandler, repeated: boolean) =>
      handler.execute({
        stream: STREAM,
        decider: lapsing,
        command: { type: "Count", by: 1 },
        context: { ...own, attempt: { repeated } },
        reply: () => undefined,
      });
    const outcomes = [await refused(handlerOn(), false), await refused(handlerOn(), true)];
    expect(outcomes.map(({ accepted }) => accepted)).toStrictEqual([false, false]);
    const ids = (await store.readStream(STREAM)).map(({ id }) => id);
    expect(new Set(ids).size).toBe(3);
  });

  test("a look sees every command before it", async () => {
    const { count, handler } = setUp();
    const counted = count(handler, 5);
    const seen = handler.readState({ stream: STREAM, decider: counterDecider, reply: (state) => state.total });
    expect(await seen).toBe(5);
    await counted;
  });

  test("a stream made for the command is not read first, and an existing one is found out", async () => {
    const { store, handlerOn, context } = setUp();
    const first = {
      stream: STREAM,
      decider: counterDecider,
      newStream: true,
      reply: (state: { total: number }) => state.total,
    };
    await handlerOn().execute({ ...first, command: { type: "Count", by: 1 }, context: context() });
    expect(
      await handlerOn().execute({ ...first, command: { type: "Count", by: 1 }, context: context() }),
    ).toMatchObject({
      accepted: true,
      reply: 2,
    });
    expect(store.attempts.map((attempt) => attempt.expectedRevision)).toStrictEqual([NO_STREAM, NO_STREAM, 0]);
  });

  test("an answer that can't be made fails its own command only", async () => {
    const { count, handler, context } = setUp();
    const broken = handler.execute({
      stream: STREAM,
      decider: counterDecider,
      command: { type: "Count", by: 1 },
      context: context(),
      reply: () => {
        throw new Error("no answer");
      },
    });
    const fine = count(handler, 1);
    await expect(broken).rejects.toThrow("no answer");
    expect(await fine).toMatchObject({ accepted: true, reply: { total: 2 } });
  });

  describe("a step answered when it is decided", () => {
    const step = (handler: CommandHandler, by: number, context: CommandContext) =>
      handler.execute({
        stream: STREAM,
        decider: counterDecider,
        command: { type: "Count", by },
        context,
        replyBeforeDurable: true,
        reply: (state) => state.total,
      });

    test("does not wait for the append, which later answers wait for", async () => {
      const { store, count, handler, context } = setUp();
      const gate = store.blockAppends();
      expect(await step(handler, 3, context())).toMatchObject({ accepted: true, reply: 3 });
      expect(await store.readStream(STREAM)).toStrictEqual([]);
      const next = count(handler, 4);
      gate.open();
      expect(await next).toMatchObject({ accepted: true, reply: { total: 7, events: 1 } });
      expect(await store.readStream(STREAM)).toHaveLength(2);
    });

    test("waits where others may write", async () => {
      const { store, handler, context } = setUp(false);
      const gate = store.blockAppends();
      let answered = false;
      const outcome = step(handler, 3, context()).then((value) => {
        answered = true;
        return value;
      });
      await store.appendBlocked();
      expect(answered).toBe(false);
      gate.open();
      expect(await outcome).toMatchObject({ accepted: true, reply: 3 });
    });

    test("a refusal waits for what it rests on", async () => {
      const { store, count, handler, context } = setUp();
      const gate = store.blockAppends();
      let answered = false;
      const full = count(handler, 100);
      const refused = step(handler, 1, context()).then((value) => {
        answered = true;
        return value;
      });
      await store.appendBlocked();
      expect(answered).toBe(false);
      gate.open();
      expect(await refused).toStrictEqual({
        accepted: false,
        rejection: { code: "full", facts: { total: 100 } },
        position: 1n,
      });
      await full;
    });
  });
});
