import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import type { Decider } from "@travel-booking/domain";
import type { EventStore } from "@travel-booking/engines/event-store";
import { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "@travel-booking/engines/event-store/lmdb";
import { InMemoryEventStore } from "@travel-booking/engines/event-store/testing";
import { openEnvironment } from "@travel-booking/engines/lmdb";
import type { StateStore } from "@travel-booking/engines/state-store";
import { LMDB_STATE_STORE_DATABASES, openLmdbStateStore } from "@travel-booking/engines/state-store/lmdb";
import { InMemoryStateStore } from "@travel-booking/engines/state-store/testing";
import { ManualClock, sequentialCommandIds } from "@travel-booking/runtime";
import { CommandHandler } from "../../src/command-handling/command-handler.ts";
import { type Count, type Counted, type CountState, copyableCounter } from "./counter.ts";

const STREAM = "counter-1";
const COMMANDS_AT_ONCE = 100;

/** Counts how many events are folded. */
class CountingDecider implements Decider<Count, CountState, Counted, "full"> {
  folded = 0;
  readonly snapshotVersion: number;
  readonly initialState = copyableCounter.initialState;
  readonly copy = (state: CountState) => ({ ...state });

  constructor(snapshotVersion = 1) {
    this.snapshotVersion = snapshotVersion;
  }

  decide({ by }: Count, _: CountState, at: number) {
    return { events: [{ type: "Counted", at, data: { by } }] as const };
  }

  evolve(state: CountState, event: Counted) {
    this.folded += 1;
    return copyableCounter.evolve(state, event);
  }
}

interface Disk {
  events: EventStore;
  state: StateStore;
}

function setUp(disk: Disk = { events: new InMemoryEventStore(), state: new InMemoryStateStore() }) {
  const ids = sequentialCommandIds();
  const clock = new ManualClock(1_000);
  /** A service on that disk: it knows nothing but what is stored. */
  const start = (decider = new CountingDecider()) => {
    const handler = new CommandHandler({ store: disk.events, state: disk.state, clock });
    const count = async (by: number) => {
      const outcome = await handler.execute({
        stream: STREAM,
        decider,
        command: { type: "Count", by },
        context: {
          accountId: "acc_1",
          actor: { kind: "credential", id: "crd_1" },
          requestId: "req_1",
          causationId: null,
          commandId: ids.next(),
          attempt: { repeated: false },
        },
        reply: ({ total }) => total,
      });
      // A snapshot is begun after the reply.
      await setImmediate();
      return outcome;
    };
    const countTo = async (total: number) => {
      for (let counted = 0; counted < total; counted += COMMANDS_AT_ONCE)
        await Promise.all(Array.from({ length: Math.min(COMMANDS_AT_ONCE, total - counted) }, () => count(1)));
    };
    return { decider, count, countTo };
  };
  return { disk, start };
}

const totalOf = (outcome: { readonly accepted: boolean; readonly reply?: number }) => outcome.reply;

/** The events that the first command after a start folds, of a stream with so many. */
async function foldedAfterStart(events: number): Promise<number> {
  const { start } = setUp();
  await start().countTo(events);
  const { decider, count } = start();
  expect(totalOf(await count(1))).toBe(events + 1);
  return decider.folded;
}

test("the first command after a start folds what followed the snapshot, of 100,000 events about as many as of 2,000", async () => {
  expect(await foldedAfterStart(999)).toBe(1_000);
  expect(await foldedAfterStart(2_000)).toBeLessThanOrEqual(1_001);
  expect(await foldedAfterStart(100_000)).toBeLessThanOrEqual(100_000 / 16 + 1);
});

test("a snapshot is loaded once, and stored again only after as many events", async () => {
  const { disk, start } = setUp();
  await start().countTo(1_500);
  const stored = async () => (await disk.state.get("stream-snapshots", STREAM))?.version;
  const first = await stored();
  await start().count(1);
  expect(await stored()).toBe(first);
  await start().countTo(1_000);
  expect(await stored()).not.toBe(first);
});

test("a snapshot of another version of the fold is passed over, and replaced", async () => {
  const { start } = setUp();
  await start().countTo(1_000);
  const changed = start(new CountingDecider(2));
  expect(totalOf(await changed.count(1))).toBe(1_001);
  expect(changed.decider.folded).toBe(1_001);
  const again = start(new CountingDecider(2));
  await again.count(1);
  expect(again.decider.folded).toBe(1);
});

test("a snapshot that another Node has serialised is passed over", async () => {
  const { disk, start } = setUp();
  await start().countTo(1_000);
  const stored = await disk.state.get<{ readonly version: string; readonly folded: string }>(
    "stream-snapshots",
    STREAM,
  );
  await disk.state.put("stream-snapshots", STREAM, { version: "1, V8 1.0", folded: stored?.value.folded });
  const { decider, count } = start();
  expect(totalOf(await count(1))).toBe(1_001);
  expect(decider.folded).toBe(1_001);
});

test("a snapshot of events that the log does not have is passed over", async () => {
  const { disk, start } = setUp();
  await start().countTo(1_000);
  disk.events = new InMemoryEventStore();
  expect(totalOf(await start().count(1))).toBe(1);
  await start().countTo(998);
  // As long as the snapshot, but other events: its positions are others, too.
  await disk.events.append("counter-2", -1, [{ ...(await disk.events.readStream(STREAM))[0], id: "other" } as never]);
  await start().countTo(1);
  expect(totalOf(await start().count(1))).toBe(1_001);
});

test("a stream whose decider has no snapshots is folded from its first event", async () => {
  const { disk, start } = setUp();
  const plain = Object.assign(new CountingDecider(), { snapshotVersion: undefined });
  await start(plain as never).countTo(1_200);
  expect(await disk.state.get("stream-snapshots", STREAM)).toBeUndefined();
});

test("a command that was repeated after a start finds what its first attempt recorded, snapshot or not", async () => {
  const { disk, start } = setUp();
  await start().countTo(1_200);
  const recorded = (await disk.events.readStream(STREAM))[3];
  const handler = new CommandHandler({ store: disk.events, state: disk.state, clock: new ManualClock(2_000) });
  const outcome = await handler.execute({
    stream: STREAM,
    decider: new CountingDecider(),
    command: { type: "Count", by: 1 },
    context: { ...(recorded?.metadata as NonNullable<typeof recorded>["metadata"]), attempt: { repeated: true } },
    reply: ({ total }, events) => [total, events.length],
  });
  expect(outcome).toMatchObject({ accepted: true, reply: [1_200, 1] });
});

test("a snapshot is used after the files of LMDB were closed and opened", async () => {
  const path = mkdtempSync(join(tmpdir(), "snapshots-"));
  const open = () => {
    const onFatal = (error: Error) => {
      throw error;
    };
    const environment = openEnvironment({ path, maxDbs: LMDB_EVENT_STORE_DATABASES + LMDB_STATE_STORE_DATABASES });
    const events = openLmdbEventStore(environment, { onFatal });
    const state = openLmdbStateStore(environment, { onFatal });
    const close = async () => {
      await events.close();
      await state.close();
      await environment.close();
    };
    return { events, state, close };
  };
  const first = open();
  const { start } = setUp(first);
  await start().countTo(1_000);
  while ((await first.state.get("stream-snapshots", STREAM)) === undefined) await setImmediate();
  await start().count(1);
  await first.close();

  const second = open();
  const { decider, count } = setUp(second).start();
  expect(totalOf(await count(1))).toBe(1_002);
  // The one that followed the snapshot, and its own.
  expect(decider.folded).toBe(2);
  await second.close();
  rmSync(path, { recursive: true });
});
