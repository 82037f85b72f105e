import { expect, test } from "@jest/globals";
import { accept } from "@travel-booking/domain";
import { NO_STREAM } from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { ManualClock } from "@travel-booking/runtime";
import { CommandHandler } from "../../src/command-handling/command-handler.ts";
import { SealedEventStore } from "../../src/command-handling/sealed-event-store.ts";
import { turnsDuring } from "../support/turns.ts";
import { counterDecider } from "./counter.ts";

const EVENTS = 5_000;
const BOOKING = `bkg_${"b".repeat(32)}`;

function event(id: number, type: string, data: object) {
  const metadata = {
    accountId: `acc_${"a".repeat(32)}`,
    actor: { kind: "system", id: "x" } as const,
    requestId: null,
    commandId: `${id}`,
    causationId: null,
  };
  return { id: `${id}`, type, version: 1, at: 1, data, metadata };
}

const manyEvents = (type: string, data: object, length = EVENTS) =>
  Array.from({ length }, (_, n) => event(n, type, data));

test("others get their turns while a long stream is folded, and one that is folded already takes none", async () => {
  const store = new InMemoryEventStore();
  await store.append("counter-1", NO_STREAM, manyEvents("Counted", { by: 1 }));
  const handler = new CommandHandler({ store, clock: new ManualClock(1_000) });
  let total = 0;
  const read = () =>
    handler.readState({
      stream: "counter-1",
      decider: counterDecider,
      reply: (state) => {
        total = state.total;
      },
    });
  expect(await turnsDuring(read)).toBeGreaterThanOrEqual(10);
  expect(total).toBe(EVENTS);
  expect(await turnsDuring(read)).toBe(0);
});

/** Never full. */
const endlessCounter: typeof counterDecider = { ...counterDecider, decide: () => accept() };

test("a long stream is never there as a whole, not even where an earlier attempt is looked for", async () => {
  const store = new InMemoryEventStore();
  await store.append("counter-1", NO_STREAM, manyEvents("Counted", { by: 1 }));
  let most = 0;
  const counting = {
    singleWriter: true,
    append: store.append.bind(store),
    async readStream(...asked: Parameters<typeof store.readStream>) {
      const events = await store.readStream(...asked);
      most = Math.max(most, events.length);
      return events;
    },
  };
  const handler = new CommandHandler({ store: counting, clock: new ManualClock(1_000) });
  for (const commandId of ["0", "777", `${EVENTS - 1}`, "never"]) {
    const outcome = await handler.execute({
      stream: "counter-1",
      decider: endlessCounter,
      command: { type: "Count", by: 0 },
      context: { ...event(0, "Counted", {}).metadata, commandId, attempt: { repeated: true } },
      reply: ({ total }, events) => [total, events.length],
    });
    expect(outcome).toMatchObject({ accepted: true, reply: [EVENTS, commandId === "never" ? 0 : 1] });
  }
  expect(most).toBe(500);
});

test.each([
  ["many", EVENTS, "for Ada"],
  ["large", 200, "x".repeat(15_000)],
])("others get their turns while the words of %s events are opened", async (_, length, text) => {
  const state = new InMemoryStateStore();
  const words = new SealedWords({ state, secretKey: "secret", shared: false });
  const store = new SealedEventStore(new InMemoryEventStore(), words);
  const reference = { changeId: null, reference: text };
  await store.append(`booking-${BOOKING}`, NO_STREAM, manyEvents("BookingChanged", reference, length));
  const data: unknown[] = [];
  const read = async () => data.push(...(await store.readStream(`booking-${BOOKING}`)).map((each) => each.data));
  expect(await turnsDuring(read)).toBeGreaterThanOrEqual(10);
  expect(data).toStrictEqual(Array.from({ length }, () => reference));
});
