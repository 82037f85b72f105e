import { describe, expect, test } from "@jest/globals";
import { type DueTask, dueSortKey } from "@travel-booking/domain";
import { ManualClock } from "@travel-booking/runtime";
import { Scheduler } from "../../src/index.ts";

const T0 = 1_000_000;

function hold(holdId: string, dueAt: number): DueTask {
  return { kind: "expire_hold", flightId: "KP442", holdId, dueAt };
}

/** A list that pages as the read model does, and what the scheduler did with it. */
function setUp(tasks: readonly DueTask[], run: (task: DueTask) => Promise<bigint> = async () => 1n) {
  const clock = new ManualClock(T0);
  const open = tasks
    .map((task) => ({ key: "holdId" in task ? task.holdId : "", task }))
    .map((entry) => ({ ...entry, sort: dueSortKey(entry.task.dueAt, entry.key) }))
    .sort((one, other) => (one.sort < other.sort ? -1 : 1));
  const ran: string[] = [];
  const failed: string[] = [];
  const listed: bigint[] = [];
  const time = { real: 0 };
  const room = { is: true };
  const scheduler = new Scheduler({
    clock,
    realTime: { now: () => time.real },
    list: {
      dueBy: async (now, limit, after) =>
        open.filter(({ task, sort }) => task.dueAt <= now && (after === undefined || sort > after)).slice(0, limit),
    },
    run: async (task) => {
      const position = await run(task);
      ran.push("holdId" in task ? task.holdId : "");
      return position;
    },
    waitUntilListed: async (position) => {
      listed.push(position);
    },
    onFailed: ({ key }) => failed.push(key),
    mayBegin: () => room.is,
  });
  return { clock, scheduler, ran, failed, listed, time, room };
}

describe("the scheduler", () => {
  test("runs what is due, in the order of due times, and nothing before its time", async () => {
    const { clock, scheduler, ran } = setUp([hold("c", T0 + 1), hold("b", T0), hold("a", T0 - 5)]);
    expect(await scheduler.runDue()).toBe(2);
    expect(ran).toStrictEqual(["a", "b"]);
    clock.advance(1);
    ran.length = 0;
    expect(await scheduler.runDue()).toBe(3);
    expect(ran).toStrictEqual(["a", "b", "c"]);
  });

  test("nothing is begun that could not be recorded", async () => {
    const { scheduler, ran, failed, room } = setUp([hold("a", T0)]);
    room.is = false;
    expect([await scheduler.runDue(), ran, failed]).toStrictEqual([0, [], []]);
    room.is = true;
    expect([await scheduler.runDue(), ran]).toStrictEqual([1, ["a"]]);
  });

  test("nothing due is nothing done", async () => {
    const { scheduler, listed } = setUp([hold("a", T0 + 1)]);
    expect(await scheduler.runDue()).toBe(0);
    expect(listed).toStrictEqual([]);
  });

  test("goes through however many there are", async () => {
    const { scheduler, ran } = setUp(Array.from({ length: 450 }, (_, index) => hold(`hold-${index}`, T0 - index)));
    expect(await scheduler.runDue()).toBe(450);
    expect(new Set(ran).size).toBe(450);
  });

  test("waits until the list shows the last of what was done", async () => {
    const { scheduler, listed } = setUp([hold("a", T0), hold("b", T0)], async (task) =>
      "holdId" in task && task.holdId === "a" ? 9n : 4n,
    );
    await scheduler.runDue();
    expect(listed).toStrictEqual([9n]);
  });

  test("what fails holds up nothing else, and is tried again with growing pauses", async () => {
    let broken = true;
    const { scheduler, ran, failed, time } = setUp([hold("a", T0), hold("b", T0)], async (task) => {
      if (broken && "holdId" in task && task.holdId === "a") throw new Error("not now");
      return 1n;
    });
    expect(await scheduler.runDue()).toBe(1);
    expect([ran, failed]).toStrictEqual([["b"], ["a"]]);

    const pauses = [];
    let last = time.real;
    while (failed.length < 9) {
      time.real += 500;
      const before = failed.length;
      await scheduler.runDue();
      if (failed.length === before) continue;
      pauses.push(time.real - last);
      last = time.real;
    }
    expect(pauses).toStrictEqual([1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000]);

    broken = false;
    time.real += 60_000;
    ran.length = 0;
    await scheduler.runDue();
    expect(ran).toStrictEqual(["a", "b"]);
  });

  test("stops between two pages and starts nothing more", async () => {
    const { scheduler, ran } = setUp(Array.from({ length: 450 }, (_, index) => hold(`hold-${index}`, T0 - index)));
    const stop = new AbortController();
    const polling = scheduler.runUntil(stop.signal);
    const running = scheduler.runDue();
    stop.abort();
    await polling;
    expect(await running).toBe(ran.length);
    expect(ran.length).toBeLessThan(450);
  });
});
