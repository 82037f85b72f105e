import { describe, expect, test } from "@jest/globals";
import { FairLanes } from "../../src/lanes/fair-lanes.ts";

interface Turn {
  readonly lane: string;
  readonly signal: AbortSignal;
  readonly end: () => void;
  readonly fail: (error: Error) => void;
}

/** Lanes whose turns end when they are told to. */
function setUp(options: Partial<{ slots: number; perEndpoint: number; perFailingEndpoint: number }> = {}) {
  const turns: Turn[] = [];
  const failures: string[] = [];
  const fair = new FairLanes({
    slots: 10,
    perEndpoint: 2,
    perFailingEndpoint: 1,
    ...options,
    work: (lane, signal) =>
      new Promise((end, fail) => {
        signal.addEventListener("abort", () => fail(signal.reason));
        turns.push({ lane, signal, end, fail });
      }),
    failed: (lane, error) => failures.push(`${lane}: ${(error as Error).message}`),
  });
  const lanes = () => turns.map(({ lane }) => lane);
  const next = () => new Promise((resolve) => setImmediate(resolve));
  return { fair, turns, lanes, failures, next };
}

describe("lanes in turn", () => {
  test("an endpoint with many lanes has no more than its share, and others have theirs at once", async () => {
    const { fair, turns, lanes, next } = setUp();
    for (let n = 0; n < 1_000; n += 1) fair.add(`a/${n}`);
    fair.add("b/0");
    fair.add("c/0");
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "c/0"]);
    turns[1]?.end();
    await next();
    expect(lanes().slice(4)).toStrictEqual(["a/2"]);
    expect(fair.waiting).toBe(997);
  });

  test("where slots are scarce they go round", async () => {
    const { fair, turns, lanes, next } = setUp({ slots: 1, perEndpoint: 9 });
    for (const lane of ["a/0", "a/1", "a/2", "b/0", "b/1", "c/0"]) fair.add(lane);
    for (let n = 0; n < 6; n += 1) {
      turns[n]?.end();
      await next();
    }
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "c/0", "a/2", "b/1"]);
  });

  test("a lane is worked on once at a time, and once more where it was asked for meanwhile", async () => {
    const { fair, turns, lanes, next } = setUp();
    fair.add("a/0");
    fair.add("a/0");
    fair.add("a/0");
    expect(lanes()).toStrictEqual(["a/0"]);
    turns[0]?.end();
    await next();
    expect(lanes()).toStrictEqual(["a/0", "a/0"]);
    turns[1]?.end();
    await next();
    expect(lanes()).toHaveLength(2);
  });

  test("endpoints that fail have few slots each, and never more than half together", async () => {
    const { fair, lanes } = setUp({ slots: 8, perEndpoint: 4, perFailingEndpoint: 3 });
    for (const endpoint of ["a", "b"]) {
      fair.add(`${endpoint}/0`);
      fair.mark(endpoint, true);
      for (let n = 1; n < 9; n += 1) fair.add(`${endpoint}/${n}`);
    }
    // The first of each began before it was known to fail.
    expect(lanes()).toStrictEqual(["a/0", "a/1", "a/2", "b/0", "b/1", "b/2"]);
    for (const lane of ["c/0", "d/0", "d/1"]) fair.add(lane);
    expect(lanes().slice(6)).toStrictEqual(["c/0", "d/0"]);
  });

  test("what fails waits where the failing have their half", async () => {
    const { fair, turns, lanes, next } = setUp({ slots: 4, perFailingEndpoint: 2 });
    for (const endpoint of ["a", "b", "c"]) {
      fair.add(`${endpoint}/0`);
      fair.mark(endpoint, true);
      fair.add(`${endpoint}/1`);
    }
    for (const turn of turns) turn.end();
    await next();
    const begun = lanes().length;
    fair.add("good/0");
    expect(lanes().slice(begun)).toStrictEqual(["good/0"]);
  });

  test("a lane that can't be worked on is reported, and its slot is free", async () => {
    const { fair, turns, failures, next } = setUp({ slots: 1 });
    fair.add("a/0");
    fair.add("b/0");
    turns[0]?.fail(new Error("not now"));
    await next();
    expect(failures).toStrictEqual(["a/0: not now"]);
    expect(turns).toHaveLength(2);
  });

  test("idle is when nothing waits and nothing runs", async () => {
    const { fair, turns, next } = setUp({ slots: 1 });
    await fair.idle();
    fair.add("a/0");
    fair.add("a/1");
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
    const { fair, turns, failures, next } = setUp();
    for (const lane of ["a/0", "a/1", "a/2", "b/0"]) fair.add(lane);
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
    const { fair, turns, next } = setUp({ slots: 2 });
    for (const lane of ["a/0", "b/0", "c/0"]) fair.add(lane);
    const stopped = fair.stop(20);
    fair.add("d/0");
    turns[0]?.end();
    await next();
    expect(turns).toHaveLength(2);
    expect(turns[1]?.signal.aborted).toBe(false);
    await stopped;
    expect(turns[1]?.signal.aborted).toBe(true);
  });
});
