import { expect, test } from "@jest/globals";
import { ManualClock, SandboxClock } from "@travel-booking/runtime";
import { advanceClock, type ClockDrivenWork, type DueTaskList, type Scheduler } from "../../src/index.ts";

const T0 = 1_000;

/** Tasks and other work that fall due at these times, and what was done when. */
async function setUp(tasks: readonly number[], others: readonly number[], settlingTakes = 0) {
  const base = new ManualClock(T0);
  const clock = await SandboxClock.open(base, { load: async () => undefined, store: async () => undefined });
  const done: string[] = [];
  const open = new Set(tasks);
  const scheduler = {
    async runDue() {
      const due = [...open].filter((at) => at <= clock.now());
      for (const at of due) {
        open.delete(at);
        done.push(`task of ${at} at ${clock.now()}`);
      }
      return due.length;
    },
  } as unknown as Scheduler;
  const list = {
    async nextDueAfter(now: number) {
      const [dueAt] = [...open].filter((at) => at > now).sort((one, other) => one - other);
      return dueAt === undefined ? undefined : { key: "", task: { dueAt } };
    },
  } as unknown as DueTaskList;
  const waiting = new Set(others);
  const alsoDue = {
    nextDueAt: async (now: number, _movedSince: number) =>
      [...waiting].filter((at) => at > now).sort((one, other) => one - other)[0],
    async drained() {
      const due = [...waiting].filter((at) => at <= clock.now());
      for (const at of due) {
        waiting.delete(at);
        done.push(`delivery of ${at} at ${clock.now()}`);
      }
      if (due.length > 0) base.advance(settlingTakes);
    },
  };
  const options = { clock, list, scheduler, waitUntilCaughtUp: async () => undefined, otherWork: alsoDue };
  const advance = (by: number, signal = new AbortController().signal) => advanceClock(options, by, signal);
  return { clock, done, advance, options };
}

test("tasks and other work are each done at their own time, in the order they fall due", async () => {
  const { clock, done, advance } = await setUp([1_500, 1_200, 9_000], [1_100, 1_300, 1_500, 9_001]);
  await advance(1_000);
  expect(done).toStrictEqual([
    "delivery of 1100 at 1100",
    "task of 1200 at 1200",
    "delivery of 1300 at 1300",
    "task of 1500 at 1500",
    "delivery of 1500 at 1500",
  ]);
  expect(clock.now()).toBe(2_000);
});

test("what was due before it began is done first, and what is due at the end, too", async () => {
  const { done, advance } = await setUp([T0], [T0 - 1, 2_000]);
  await advance(1_000);
  expect(done).toStrictEqual(["task of 1000 at 1000", "delivery of 999 at 1000", "delivery of 2000 at 2000"]);
});

test("what falls due while something else is being done is done before the clock is moved on", async () => {
  const { done, advance } = await setUp([1_101, 5_000], [1_100, 1_102, 1_103, 2_000], 50);
  await advance(5_000);
  expect(done).toStrictEqual([
    "delivery of 1100 at 1100",
    "task of 1101 at 1150",
    "delivery of 1102 at 1150",
    "delivery of 1103 at 1150",
    "delivery of 2000 at 2000",
    "task of 5000 at 5000",
  ]);
});

test("the clock moves exactly so far, and what falls due in the time that it takes is done, too", async () => {
  const { clock, done, advance } = await setUp([2_040], [1_100, 1_200], 50);
  const before = clock.offset;
  await advance(1_000);
  expect(clock.offset - before).toBe(1_000);
  expect(clock.now()).toBe(2_100);
  expect(done.at(-1)).toBe("task of 2040 at 2040");
});

test("when nobody waits for it any more it ends where it is", async () => {
  const { clock, done, advance, options } = await setUp([1_500], [1_100, 1_200]);
  const client = new AbortController();
  options.waitUntilCaughtUp = async () => {
    if (clock.now() === 1_200) client.abort();
  };
  await advance(1_000, client.signal);
  expect(done).toStrictEqual(["delivery of 1100 at 1100", "delivery of 1200 at 1200"]);
  expect(clock.now()).toBe(1_200);
});

test("what else is due is told since when the clock is moved", async () => {
  const { advance, options } = await setUp([], [1_100, 1_200]);
  const { nextDueAt } = options.otherWork;
  const asked: unknown[] = [];
  options.otherWork.nextDueAt = (...moments) => {
    asked.push(moments);
    return nextDueAt(...moments);
  };
  await advance(1_000);
  expect(asked).toStrictEqual([
    [T0, T0],
    [1_100, T0],
    [1_200, T0],
  ]);
});

test("work that can't be done stops it", async () => {
  const { clock, advance } = await setUp([], []);
  expect(clock.now()).toBe(T0);
  await advance(1);
  const stuck: ClockDrivenWork = { nextDueAt: async () => 1_500, drained: () => Promise.reject(new Error("stuck")) };
  const nothing = { list: { nextDueAfter: async () => undefined }, scheduler: { runDue: async () => 0 } };
  const options = { ...nothing, clock, waitUntilCaughtUp: async () => undefined, otherWork: stuck } as never;
  await expect(advanceClock(options, 4_000, new AbortController().signal)).rejects.toThrow("stuck");
  expect(clock.now()).toBe(1_001);
});
