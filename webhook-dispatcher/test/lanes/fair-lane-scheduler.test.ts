import { describe, expect, test } from "@jest/globals";
import { FairLaneScheduler, type FairLaneSchedulerOptions, type TurnResult } from "../../src/lanes/lane-scheduler.ts";

interface Turn {
  readonly lane: string;
  readonly signal: AbortSignal;
  readonly end: (how?: TurnResult) => void;
  readonly fail: (error: Error) => void;
}

/** Lanes whose turns end when they are told to. */
function setUp(options: Partial<FairLaneSchedulerOptions> = {}) {
  const turns: Turn[] = [];
  const failures: string[] = [];
  const fair = new FairLaneScheduler({
    slots: 1_000,
    perEndpoint: 2,
    perImpairedEndpoint: 1,
    work: (lane, signal) =>
      new Promise((resolve, fail) => {
        signal.addEventListener("abort", () => fail(signal.reason));
        turns.push({ lane, signal, end: (how = "done") => resolve(how), fail });
      }),
    onFailure: (lane, error) => failures.push(`${lane}: ${(error as Error).message}`),
    ...options,
  });
  const add = (...added: readonly string[]) => {
    for (const lane of added) fair.enqueue(lane, "acc_1");
  };
  const lanes = () => turns.map(({ lane }) => lane);
  const next = () => new Promise((resolve) => setImmediate(resolve));
  return { fair, add, turns, lanes, failures, next };
}

describe("lanes in turn", () => {
  test("an endpoint with many lanes has no more than its share, and others have theirs at once", async () => {
    const { fair, add, turns, lanes, next } = setUp();
    for (let n = 0; n < 1_000; n += 1) add(`a/${n}`);
    add("b/0", "c/0");
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "c/0"]);
    turns[1]?.end();
    await next();
    expect(lanes().slice(4)).toStrictEqual(["a/2"]);
    expect(fair.waiting).toBe(997);
  });

  test("where slots are scarce they go round", async () => {
    const { add, turns, lanes, next } = setUp({ slots: 1 });
    add("a/0", "a/1", "a/2", "b/0", "b/1", "c/0");
    for (let n = 0; n < 6; n += 1) {
      turns[n]?.end();
      await next();
    }
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "c/0", "a/2", "b/1"]);
  });

  test("of many that could begin at once so many do; whoever comes next begins when one ends", async () => {
    const { add, turns, lanes, next } = setUp({ burst: { maxRecentStarts: 2, windowMs: 60_000 } });
    add("a/0", "b/0", "c/0", "d/0");
    expect(lanes()).toStrictEqual(["a/0", "b/0"]);
    turns[1]?.end();
    await next();
    expect(lanes()).toStrictEqual(["a/0", "b/0", "c/0"]);
  });

  test("those that take longer than a moment hold up nobody", async () => {
    const { add, lanes, next } = setUp({ burst: { maxRecentStarts: 2, windowMs: 1 } });
    add("a/0", "b/0", "c/0", "d/0", "e/0");
    while (lanes().length < 5) await next();
    expect(lanes()).toStrictEqual(["a/0", "b/0", "c/0", "d/0", "e/0"]);
  });

  test("a lane is worked on once at a time, and once more where it was asked for meanwhile", async () => {
    const { add, turns, lanes, next } = setUp();
    add("a/0", "a/0", "a/0");
    expect(lanes()).toStrictEqual(["a/0"]);
    turns[0]?.end();
    await next();
    expect(lanes()).toStrictEqual(["a/0", "a/0"]);
    turns[1]?.end();
    await next();
    expect(lanes()).toHaveLength(2);
  });

  test("a lane whose time was up waits for its next turn behind the others", async () => {
    const { add, turns, lanes, next } = setUp({ slots: 1 });
    add("a/0", "b/0");
    turns[0]?.end("again");
    await next();
    turns[1]?.end();
    await next();
    expect(lanes()).toStrictEqual(["a/0", "b/0", "a/0"]);
  });

  test.each(["failing", "slow"] as const)("an endpoint that is %s has few slots, until it is not any more", (mark) => {
    const { fair, add, lanes } = setUp({ perEndpoint: 4, perImpairedEndpoint: 2 });
    // The first begins before that is known.
    add("a/0");
    fair.setCondition("a", { [mark]: true });
    add("a/1", "a/2", "b/0", "b/1", "b/2");
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "b/1", "b/2"]);
    fair.setCondition("a", { [mark]: false });
    add("c/0");
    expect(lanes().slice(5)).toStrictEqual(["a/2", "c/0"]);
  });

  test("one that is slow and takes its deliveries is slow still", () => {
    const { fair, add, lanes } = setUp();
    add("a/0");
    fair.setCondition("a", { slow: true });
    fair.setCondition("a", { failing: false });
    add("a/1");
    expect(lanes()).toStrictEqual(["a/0"]);
  });

  test("one that was slow before has few slots from the beginning", () => {
    const { add, lanes } = setUp({ isSlow: (endpointId) => endpointId === "a" });
    add("a/0", "a/1", "b/0", "b/1");
    expect(lanes()).toStrictEqual(["a/0", "b/0", "b/1"]);
  });

  test("a lane that can't be worked on is reported, and its slot is free", async () => {
    const { add, turns, failures, next } = setUp({ slots: 1 });
    add("a/0");
    add("b/0");
    turns[0]?.fail(new Error("not now"));
    await next();
    expect(failures).toStrictEqual(["a/0: not now"]);
    expect(turns).toHaveLength(2);
  });

  test("idle is when nothing waits and nothing runs", async () => {
    const { fair, add, turns, next } = setUp({ slots: 1 });
    await fair.idle();
    add("a/0");
    add("a/1");
    let idle = false;
    void fair.idle().then(() => {
      idle = true;
    });
    turns[0]?.end();
    await next();
    expect(idle).toBe(false);
    turns[1]?.end();
    await next();
    expect(idle).toBe(true);
  });

  test("abandoning an endpoint aborts what is under way to it, and forgets what waits", async () => {
    const { fair, add, turns, failures, next } = setUp();
    add("a/0", "a/1", "a/2", "b/0");
    fair.abandon("a");
    await next();
    expect(turns.map(({ lane, signal }) => [lane, signal.aborted])).toStrictEqual([
      ["a/0", true],
      ["a/1", true],
      ["b/0", false],
    ]);
    expect([failures, fair.waiting]).toStrictEqual([[], 0]);
  });

  test("stopping begins nothing more, and abandons what does not end in time", async () => {
    const { fair, add, turns, next } = setUp();
    add("a/0", "a/1", "a/2");
    const stopped = fair.stop(20);
    expect(turns[1]?.signal.aborted).toBe(false);
    add("d/0");
    turns[0]?.end();
    await next();
    expect(turns).toHaveLength(2);
    await stopped;
    expect(turns[1]?.signal.aborted).toBe(true);
  });
});
