import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { RealTime } from "@travel-booking/runtime/real-time";
import { type LeasedWork, type LeaseState, Leases } from "../src/leases/index.ts";
import { type StateStore, StateStoreUnavailable } from "../src/state-store/index.ts";
import { FaultyStateStore, ManualTime } from "../testing/leases.ts";

const NAME = "timers";

let time: ManualTime;
let shared: FaultyStateStore;
let stops: AbortController[];

beforeEach(() => {
  time = new ManualTime();
  shared = new FaultyStateStore();
  stops = [];
});

afterEach(async () => {
  for (const stop of stops) stop.abort();
  await time.advance(10_000);
});

interface Contender {
  readonly name: string;
  readonly leases: Leases;
  /** `began` and `aborted`, with the time. */
  readonly story: (readonly [what: "began" | "aborted" | "ended", at: number])[];
  readonly stop: AbortController;
  /** Lets the work come to its end by itself. */
  finish: () => void;
  readonly held: Promise<void>;
}

/** The holder of a lease, or the last one that died with it. */
async function holderOf(name: string): Promise<string | undefined> {
  return (await shared.inner.get<LeaseState>("leases", name))?.value.holder ?? undefined;
}

/** A process that wants the lease, and works under it until it has to stop. */
function contend(name: string, store: StateStore = shared.store, realTime: RealTime = time): Contender {
  const leases = new Leases(store, name, realTime);
  const stop = new AbortController();
  stops.push(stop);
  const story: Contender["story"][number][] = [];
  const contender = { name, leases, story, stop, finish: () => {} };
  const work: LeasedWork = (signal) => {
    story.push(["began", time.now()]);
    const { promise, resolve } = Promise.withResolvers<void>();
    contender.finish = resolve;
    signal.addEventListener("abort", () => {
      story.push(["aborted", time.now()]);
      resolve();
    });
    return promise;
  };
  const held = leases.runUnderLease(NAME, work, { signal: stop.signal });
  held.catch(() => undefined);
  return Object.assign(contender, { held });
}

describe("one of many", () => {
  test("works for as long as it lives, the others wait", async () => {
    const one = contend("one");
    const others = ["two", "three"].map((name) => contend(name));
    await time.advance(60_000);
    expect(one.story).toStrictEqual([["began", 0]]);
    expect(others.map(({ story }) => story)).toStrictEqual([[], []]);
    expect(await holderOf(NAME)).toBe("one");
  });

  test("renews at a third of the length, and writes nothing else; who waits only reads", async () => {
    contend("one");
    await time.advance(0);
    contend("two");
    await time.advance(5_001);
    expect(shared.writes).toBe(1 + 3);
  });

  test("leases of different names have nothing to do with each other", async () => {
    const one = contend("one");
    const other = one.leases.runUnderLease("other", async () => undefined, { signal: one.stop.signal });
    await time.advance(100);
    expect(await holderOf("other")).toBeUndefined();
    await expect(one.leases.runUnderLease(NAME, async () => undefined, { signal: one.stop.signal })).rejects.toThrow(
      "this process has asked for the lease timers already",
    );
    one.stop.abort();
    await other;
  });
});

describe("another takes over", () => {
  test("at its next look where the lease was given back", async () => {
    const [one, two] = [contend("one"), contend("two")];
    await time.advance(3_200);
    one.stop.abort();
    await one.held;
    expect(one.story).toStrictEqual([
      ["began", 0],
      ["aborted", 3_200],
    ]);
    expect(await holderOf(NAME)).toBeUndefined();
    await time.advance(500);
    expect(two.story).toStrictEqual([["began", 3_500]]);
  });

  test("where the work has come to its end; who ended comes last", async () => {
    const [one, two] = [contend("one"), contend("two")];
    await time.advance(100);
    one.finish();
    await time.advance(1_000);
    expect([one.story, two.story]).toStrictEqual([[["began", 0]], [["began", 500]]]);
    two.finish();
    await time.advance(1_000);
    expect([one.story.length, two.story.length]).toStrictEqual([2, 1]);
  });

  test("after the lease's length where the holder died", async () => {
    let dead = false;
    const untilItDied: RealTime = {
      now: () => time.now(),
      pause: (ms, signal) => (dead ? new Promise(() => undefined) : time.pause(ms, signal)),
    };
    contend("one", shared.store, untilItDied);
    const two = contend("two");
    await time.advance(2_000);
    dead = true;
    await time.advance(10_000);
    // Its last renewal was the one it was already waiting for, at 3,333; seen at the next look, at 3,500.
    expect(two.story).toStrictEqual([["began", 8_500]]);
  });

  test("a process started again is somebody else, and waits its time", async () => {
    await shared.inner.create("leases", NAME, { holder: "its earlier life" });
    const one = contend("one");
    await time.advance(4_999);
    expect(one.story).toStrictEqual([]);
    await time.advance(1);
    expect(one.story).toStrictEqual([["began", 5_000]]);
  });

  test("of many who stand by exactly one does", async () => {
    await shared.inner.create("leases", NAME, { holder: "its earlier life" });
    const contenders = Array.from({ length: 10 }, (_, index) => contend(`number ${index}`));
    await time.advance(30_000);
    expect(contenders.flatMap(({ story }) => story)).toStrictEqual([["began", 5_000]]);
  });
});

describe("a holder that can't renew", () => {
  test("stops in time before another begins, though nothing is answered any more", async () => {
    const cutOff = new FaultyStateStore();
    Object.assign(cutOff, { inner: shared.inner });
    const one = contend("one", cutOff.store);
    await time.advance(0);
    const two = contend("two");
    await time.advance(1_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    cutOff.gate = promise;
    await time.advance(9_000);
    expect(one.story).toStrictEqual([
      ["began", 0],
      ["aborted", 4_500],
    ]);
    expect(two.story).toStrictEqual([["began", 5_000]]);
    resolve();
    await time.advance(30_000);
    expect([one.story.length, two.story.length]).toStrictEqual([2, 1]);
    expect(await holderOf(NAME)).toBe("two");
  });

  test("tries again, and goes on where it gets through in time", async () => {
    const one = contend("one");
    contend("two");
    await time.advance(1_000);
    for (const fault of ["lost-before", "lost-after"] as const) {
      shared.fault = fault;
      await time.advance(3_000);
      shared.fault = undefined;
      await time.advance(3_000);
    }
    expect(one.story).toStrictEqual([["began", 0]]);
    expect(await holderOf(NAME)).toBe("one");
  });

  test("and nobody else can: somebody goes on when the store is back", async () => {
    const contenders = [contend("one"), contend("two")];
    await time.advance(1_000);
    shared.fault = "lost-before";
    await time.advance(60_000);
    const stories = contenders.map(({ story }) => story);
    expect(stories).toStrictEqual([
      [
        ["began", 0],
        ["aborted", 4_500],
      ],
      [],
    ]);
    shared.fault = undefined;
    await time.advance(1_000);
    expect(stories.flat().filter(([what]) => what === "began")).toHaveLength(2);
  });

  test("woken up late it learns of its loss before it can go on, and leaves the lease to the other", async () => {
    // A machine that stands still: nothing that sleeps on it wakes up.
    let catchUpMonitor = Promise.resolve();
    const stalled: RealTime = {
      now: () => time.now(),
      pause: async (ms, signal) => {
        await time.pause(ms, signal);
        await catchUpMonitor;
      },
    };
    const one = contend("one", shared.store, stalled);
    await time.advance(0);
    const two = contend("two");
    await time.advance(1_000);
    const { promise, resolve } = Promise.withResolvers<void>();
    catchUpMonitor = promise;
    await time.advance(20_000);
    expect([one.story.length, two.story]).toStrictEqual([1, [["began", 5_000]]]);
    resolve();
    await time.advance(0);
    expect(one.story.at(-1)).toStrictEqual(["aborted", 21_000]);
    await time.advance(20_000);
    expect([one.story.length, two.story.length]).toStrictEqual([2, 1]);
  });
});

describe("the work", () => {
  test("that fails gives the lease back and is told of", async () => {
    const leases = new Leases(shared.store, "one", time);
    const failing = leases.runUnderLease(NAME, () => Promise.reject(new Error("no")), {
      signal: new AbortController().signal,
    });
    await expect(failing).rejects.toThrow("no");
    expect(await holderOf(NAME)).toBeUndefined();
  });

  test("may fail because it was stopped", async () => {
    const leases = new Leases(shared.store, "one", time);
    const stop = new AbortController();
    const work: LeasedWork = (signal) =>
      new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    const held = leases.runUnderLease(NAME, work, { signal: stop.signal });
    await time.advance(100);
    stop.abort();
    await held;
    expect(await holderOf(NAME)).toBeUndefined();
  });

  test("is waited for before the lease is given back", async () => {
    const leases = new Leases(shared.store, "one", time);
    const stop = new AbortController();
    const { promise, resolve } = Promise.withResolvers<void>();
    const held = leases.runUnderLease(NAME, () => promise, { signal: stop.signal });
    await time.advance(100);
    stop.abort();
    await time.advance(100);
    expect(await holderOf(NAME)).toBe("one");
    resolve();
    await held;
    expect(await holderOf(NAME)).toBeUndefined();
  });

  test("is not begun for who no longer wants it", async () => {
    const one = contend("one");
    one.stop.abort();
    await one.held;
    const two = contend("two");
    await time.advance(0);
    expect([one.story, two.story]).toStrictEqual([[], [["began", 0]]]);
  });
});

describe("work that is done once", () => {
  const never = new AbortController().signal;
  const begin = (name: string) => new Leases(shared.store, name, time);

  test("waits for its turn, answers, and gives the lease back", async () => {
    const one = contend("one");
    await time.advance(0);
    const answer = begin("two").runOnce(NAME, async () => time.now(), { signal: never });
    await time.advance(60_000);
    one.finish();
    await time.advance(1_000);
    expect(await answer).toBeGreaterThanOrEqual(60_000);
    expect(one.story).toHaveLength(2);
  });

  test("ends where the store is away, or nobody waits for it any more", async () => {
    contend("one");
    await time.advance(0);
    const stop = new AbortController();
    const work = () => Promise.reject(new Error("never begun"));
    const waiting = begin("two").runOnce(NAME, work, { signal: stop.signal });
    waiting.catch(() => undefined);
    await time.advance(60_000);
    stop.abort(new Error("stopped"));
    await expect(waiting).rejects.toThrow("stopped");
    shared.fault = "lost-before";
    await expect(begin("three").runOnce(NAME, work, { signal: never })).rejects.toThrow(StateStoreUnavailable);
  });

  test("is told that the lease is lost", async () => {
    const losing = begin("one").runOnce(
      NAME,
      (held) => new Promise((_, reject) => held.addEventListener("abort", () => reject(held.reason))),
      { signal: never },
    );
    losing.catch(() => undefined);
    await time.advance(0);
    shared.fault = "lost-before";
    await time.advance(5_000);
    await expect(losing).rejects.toThrow(StateStoreUnavailable);
  });

  test("again and again, lets others in between where it says so", async () => {
    const [one, other] = [begin("one"), begin("other")];
    const story: string[] = [];
    const batches = async () => {
      for (let batch = 0; batch < 3; batch += 1) {
        const work = async () => time.pause(100).then(() => story.push("one"));
        await one.runOnce(NAME, work, { signal: never, givesWay: true });
      }
    };
    const all = Promise.all([batches(), other.runOnce(NAME, async () => story.push("other"), { signal: never })]);
    await time.advance(10_000);
    await all;
    expect(story).toStrictEqual(["one", "other", "one", "one"]);
  });
});
