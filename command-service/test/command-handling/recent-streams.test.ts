import { expect, test } from "@jest/globals";
import { NO_STREAM, START } from "@travel-booking/engines/event-store";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import { CommandHandler } from "../../src/command-handling/command-handler.ts";
import { emptyStream, foldInto } from "../../src/command-handling/folded-stream.ts";
import { type CommandStore, SealedEventStore } from "../../src/command-handling/sealed-event-store.ts";
import { type StreamQueue, StreamQueues } from "../../src/command-handling/stream-queue.ts";
import { counterDecider } from "./counter.ts";

const MEBIBYTE = 1_024 * 1_024;

/** Which of these idle streams stay folded, where they are used one after another. */
function kept(used: readonly (Partial<StreamQueue> & Partial<NonNullable<StreamQueue["folded"]>>)[]): boolean[] {
  const queues = new StreamQueues(() => undefined);
  const decider = counterDecider as never;
  for (const [index, { revision = 0, sealed = 0, ...rest }] of used.entries()) {
    const queue = queues.queueFor({ stream: `counter-${index}`, decider, reply: () => undefined });
    const folded = { ...emptyStream(decider), revision, position: START, sealed };
    queues.release(Object.assign(queue, { folded, ...rest }));
  }
  return used.map((_, index) => queues.find(`counter-${index}`) !== undefined);
}

test("of large streams fewer stay folded: those used last, of 128 MiB together", () => {
  const large = { sealed: 40 * MEBIBYTE };
  expect(kept([large, large, large])).toStrictEqual([true, true, true]);
  expect(kept([large, {}, large, large, large])).toStrictEqual([false, true, true, true, true]);
});

test("a stream that grows counts what it has by now", () => {
  const queues = new StreamQueues(() => undefined);
  const decider = counterDecider as never;
  const use = (stream: string, sealed: number) => {
    const queue = queues.queueFor({ stream, decider, reply: () => undefined });
    queue.folded ??= { ...emptyStream(decider), revision: 0 };
    queue.folded.sealed += sealed;
    queues.release(queue);
  };
  for (const stream of ["counter-1", "counter-2"]) use(stream, 0);
  for (const stream of ["counter-1", "counter-2"]) use(stream, 100 * MEBIBYTE);
  expect(["counter-1", "counter-2"].map((stream) => queues.find(stream) !== undefined)).toStrictEqual([false, true]);
});

test("of a stream with many events counts what its snapshot has and what followed", () => {
  const many = { revision: 5_000_000, snapshotRevision: 4_990_000, snapshotSize: 4 * MEBIBYTE };
  expect(kept([many, many])).toStrictEqual([true, true]);
  expect(kept([{ revision: 2_000_000, snapshotRevision: NO_STREAM }])).toStrictEqual([false]);
});

test("what people wrote counts where it is appended as where it is read", async () => {
  const log = new InMemoryEventStore();
  const words = new SealedWords({ state: new InMemoryStateStore(), secretKey: "secret", shared: false });
  const store = new SealedEventStore(log, words);
  const stream = `booking-bkg_${"b".repeat(32)}`;
  const data = { changeId: null, reference: "x".repeat(10_000) };
  const event = { id: "1", type: "BookingChanged", version: 1, at: 1, data, metadata: context("1") };
  const { sealed } = await store.append(stream, NO_STREAM, [event]);
  const decider = { ...counterDecider, evolve: (state: unknown) => state } as never;
  const read = emptyStream(decider);
  await foldInto(read, decider, await store.readStream(stream));
  expect(read.sealed).toBeGreaterThan(10_000);
  expect(sealed).toBe(read.sealed);
});

test("a stream that does not stay folded is read again", async () => {
  const log = new InMemoryEventStore();
  const reads: string[] = [];
  const store: CommandStore = {
    singleWriter: true,
    append: async (...args) => ({ ...(await log.append(...args)), sealed: 100 * MEBIBYTE }),
    async readStream(stream, ...range) {
      reads.push(stream);
      return log.readStream(stream, ...range);
    },
  };
  const handler = new CommandHandler({ store, clock: new ManualClock(1_000) });
  const ids = sequentialCommandIds();
  const count = async (stream: string) => {
    const command = { type: "Count", by: 1 } as const;
    await handler.execute({ stream, decider: counterDecider, command, context: context(ids.next()), reply: () => 0 });
    await new Promise(setImmediate);
  };
  for (const stream of ["counter-1", "counter-2", "counter-2", "counter-1"]) await count(stream);
  expect(reads).toStrictEqual(["counter-1", "counter-2", "counter-1"]);
});

function context(commandId: string) {
  return {
    accountId: `acc_${"a".repeat(32)}`,
    actor: { kind: "system", id: "x" },
    requestId: null,
    causationId: null,
    commandId,
    attempt: { repeated: false },
  } as const;
}
