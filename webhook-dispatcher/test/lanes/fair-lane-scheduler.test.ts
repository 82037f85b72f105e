import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { FairLaneScheduler, type FairLaneSchedulerOptions, type TurnResult } from "../../src/lanes/lane-scheduler.ts";
import { SlotAllocator } from "../../src/lanes/slots.ts";

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

afterEach(() => void jest.useRealTimers());

describe("lanes", () => {
  test("an endpoint with many lanes stays within its slots, and others get theirs at once", async () => {
    const { add, turns, lanes, next } = setUp();
    for (let n = 0; n < 1_000; n += 1) add(`a/${n}`);
    add("b/0", "c/0");
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "c/0"]);
    turns[1]?.end();
    await next();
    expect(lanes().slice(4)).toStrictEqual(["a/2"]);
  });

  test("an account with the most endpoints it may have, none of which answers, leaves slots to others", async () => {
    jest.useFakeTimers();
    const { fair, lanes } = setUp({ slots: 1_024, perEndpoint: 32, perImpairedEndpoint: 4 });
    const ofAccount = (account: string) => lanes().filter((lane) => lane.startsWith(account)).length;
    for (let n = 0; n < 100 * 40; n += 1) fair.enqueue(`bad_${n % 100}/${n}`, "acc_bad");
    // Those that wait for their receivers leave the burst.
    await jest.advanceTimersByTimeAsync(1_000);
    for (let n = 0; n < 100; n += 1) fair.setCondition(`bad_${n}`, { slow: true, failing: true });
    // A quarter, but for what the weight of two and three slots of an endpoint leaves.
    expect(ofAccount("bad")).toBe(250);
    for (let n = 0; n < 20; n += 1) fair.enqueue(`good_1/${n}`, "acc_good");
    fair.enqueue("failing_1/0", "acc_other");
    fair.setCondition("failing_1", { failing: true });
    await jest.advanceTimersByTimeAsync(1_000);
    expect([ofAccount("bad"), ofAccount("good"), ofAccount("failing")]).toStrictEqual([250, 20, 1]);
  });

  test("scarce slots are given round-robin", async () => {
    const { add, turns, lanes, next } = setUp({ slots: 1 });
    add("a/0", "a/1", "a/2", "b/0", "b/1", "c/0");
    for (let n = 0; n < 6; n += 1) {
      turns[n]?.end();
      await next();
    }
    expect(lanes()).toStrictEqual(["a/0", "a/1", "b/0", "c/0", "a/2", "b/1"]);
  });

  test("a burst is limited; the next lane starts when one ends", async () => {
    jest.useFakeTimers({ doNotFake: ["setImmediate"] });
    const { add, turns, lanes, next } = setUp();
    add(...Array.from({ length: 66 }, (_, n) => `${n}/0`));
    expect(lanes()).toHaveLength(64);
    turns[1]?.end();
    await next();
    expect(lanes().slice(63)).toStrictEqual(["63/0", "64/0"]);
  });

  test("lanes that take longer than the burst window hold up nobody", async () => {
    jest.useFakeTimers();
    const { add, lanes } = setUp();
    add(...Array.from({ length: 130 }, (_, n) => `${n}/0`));
    jest.advanceTimersByTime(10);
    expect(lanes()).toHaveLength(128);
    jest.advanceTimersByTime(10);
    expect(lanes()).toHaveLength(130);
  });

  test("a lane is worked on once at a time, and again if it was queued meanwhile", async () => {
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

  test("a lane that is not finished is queued behind the others", async () => {
    const { add, turns, lanes, next } = setUp({ slots: 1 });
    add("a/0", "b/0");
    turns[0]?.end("again");
    await next();
    turns[1]?.end();
    await next();
    expect(lanes()).toStrictEqual(["a/0", "b/0", "a/0"]);
  });

  test.each(["failing", "slow"] as const)("a %s endpoint has few slots until it recovers", (mark) => {
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

  test("a slow endpoint that no longer fails is still slow", () => {
    const { fair, add, lanes } = setUp();
    add("a/0");
    fair.setCondition("a", { slow: true });
    fair.setCondition("a", { failing: false });
    add("a/1");
    expect(lanes()).toStrictEqual(["a/0"]);
  });

  test("an endpoint that was slow before has few slots from the start", () => {
    const { add, lanes } = setUp({ isSlow: (endpointId) => endpointId === "a" });
    add("a/0", "a/1", "b/0", "b/1");
    expect(lanes()).toStrictEqual(["a/0", "b/0", "b/1"]);
  });

  test("an error of a lane is reported, and its slot is released", async () => {
    const { add, turns, failures, next } = setUp({ slots: 1 });
    add("a/0");
    add("b/0");
    turns[0]?.fail(new Error("not now"));
    await next();
    expect(failures).toStrictEqual(["a/0: not now"]);
    expect(turns).toHaveLength(2);
  });

  test("idle resolves when nothing is waiting or running", async () => {
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

  test("abandoning an endpoint aborts its running lanes and drops its waiting ones", async () => {
    const { fair, add, turns, failures, next } = setUp();
    add("a/0", "a/1", "a/2", "b/0");
    fair.abandon("a");
    await next();
    expect(turns.map(({ lane, signal }) => [lane, signal.aborted])).toStrictEqual([
      ["a/0", true],
      ["a/1", true],
      ["b/0", false],
    ]);
    expect(failures).toStrictEqual([]);
    turns[2]?.end();
    await fair.idle();
  });

  test("stopping starts nothing more and aborts lanes that do not end in time", async () => {
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

/** How often accounts and endpoints were looked at for each lane that ended, with so many endpoints waiting. */
async function looksPerLane(endpoints: number, endpointsEach: number, isSlow: boolean): Promise<number> {
  jest.useFakeTimers({ doNotFake: ["setImmediate"] });
  const ends: (() => void)[] = [];
  const fair = new FairLaneScheduler({
    slots: 1_024,
    perEndpoint: 32,
    perImpairedEndpoint: 4,
    isSlow: () => isSlow,
    work: () => new Promise((resolve) => ends.push(() => resolve("done"))),
    onFailure: () => undefined,
  });
  for (let n = 0; n < endpoints; n += 1) {
    fair.enqueue(`whe_${n}/bkg`, `acc_${Math.floor(n / endpointsEach)}`);
  }
  // As many as ever may be have begun.
  for (let begun = 0; begun < ends.length; jest.advanceTimersByTime(10)) begun = ends.length;
  const looked = (["mayHaveMore", "canAcquire"] as const).map((at) => jest.spyOn(SlotAllocator.prototype, at));
  const lanes = 300;
  for (let n = 0; n < lanes; n += 1) {
    ends[n]?.();
    jest.advanceTimersByTime(10);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const looks = looked.reduce((sum, { mock }) => sum + mock.calls.length, 0) / lanes;
  jest.restoreAllMocks();
  expect(ends.length).toBeGreaterThanOrEqual(lanes);
  return looks;
}

test.each([
  ["quick ones, one an account", 1, false],
  ["quick ones, a hundred an account", 100, false],
  ["slow ones, one an account", 1, true],
])("a lane that ends looks at no more than there are slots, of 1,000 or 100,000: %s", async (_, each, isSlow) => {
  expect(await looksPerLane(1_000, each, isSlow)).toBeLessThan(1_024);
  expect(await looksPerLane(100_000, each, isSlow)).toBeLessThan(1_024);
});
