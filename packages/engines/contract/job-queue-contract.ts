import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { JobQueue, LaneWorker } from "../src/job-queue/port.ts";
import { Runs } from "./runs.ts";

export { Runs };

/** A queue of the test's own; several of `instances` share it, where the engine is a shared one. */
export interface OpenedJobQueue {
  readonly instances: readonly [JobQueue, ...JobQueue[]];
  /** What was told to `onProblem`. */
  readonly problems: readonly unknown[];
  /** Comes after the instances were closed. */
  readonly dispose: () => Promise<void>;
}

/** The pauses a queue under test is opened with. */
export const TEST_PAUSES = { first: 20, longest: 100 };

const LONG = 3_600_000;
const EMPTY = { waiting: 0, delayed: 0, active: 0 };

/** What every engine of the port must do. */
export function describeJobQueue(name: string, open: () => Promise<OpenedJobQueue>): void {
  describe(`job queue contract: ${name}`, () => {
    let opened: OpenedJobQueue;
    let queue: JobQueue;
    let turn = 0;

    beforeEach(async () => {
      opened = await open();
      [queue] = opened.instances;
    });
    afterEach(async () => {
      await Promise.all(opened.instances.map((instance) => instance.close()));
      await opened.dispose();
    });

    /** By one instance after the other. */
    const wake = (lane: string, delayMs?: number) => {
      const instance = opened.instances[turn++ % opened.instances.length] ?? queue;
      return instance.wake(lane, delayMs);
    };
    const work = (runs: Runs, concurrency = 10): LaneWorker => queue.work(runs.handler, { concurrency });
    /** Resolves when nothing is left to be done but what is delayed, and answers how much that is. */
    const settled = async (): Promise<number> => {
      for (;;) {
        const { waiting, active, delayed } = await queue.depth();
        if (waiting + active === 0) return delayed;
        await setTimeout(2);
      }
    };

    test("each lane that was woken is worked once", async () => {
      const runs = new Runs();
      work(runs);
      const lanes = Array.from({ length: 50 }, (_, index) => `endpoint:we_${index} booking/bkg_${index}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await runs.until(({ ended }) => ended.length === 50);
      expect(await settled()).toBe(0);
      expect(runs.begun.toSorted()).toStrictEqual(lanes.toSorted());
    });

    test("wake-ups that nobody works wait for a worker, and count as one", async () => {
      await Promise.all(Array.from({ length: 50 }, () => wake("a")));
      await wake("b");
      expect(await queue.depth()).toStrictEqual({ ...EMPTY, waiting: 2 });
      const runs = new Runs();
      work(runs);
      await runs.until(({ ended }) => ended.length === 2);
      expect(await settled()).toBe(0);
      expect(runs.begun.toSorted()).toStrictEqual(["a", "b"]);
    });

    test("a lane that was worked is worked again when it is woken again", async () => {
      const runs = new Runs();
      work(runs);
      for (let time = 1; time <= 5; time += 1) {
        await wake("a");
        await runs.until(({ ended }) => ended.length === time);
      }
      expect(await settled()).toBe(0);
      expect(runs.begun.length).toBe(5);
    });

    test("not before its delay", async () => {
      const runs = new Runs();
      work(runs);
      const from = Date.now();
      await wake("later", 400);
      await wake("now");
      await runs.until(({ ended }) => ended.length === 2);
      expect(runs.begun).toStrictEqual(["now", "later"]);
      expect((runs.begunAt[1] ?? 0) - from).toBeGreaterThanOrEqual(400);
    });

    test("what is delayed is counted as that, and outlives its worker", async () => {
      const first = work(new Runs());
      await wake("a", LONG);
      await wake("b", 30);
      await first.stop();
      expect((await queue.depth()).delayed).toBeGreaterThanOrEqual(1);
      const runs = new Runs();
      work(runs);
      await runs.until(({ ended }) => ended.length === 1);
      expect([runs.begun, await settled()]).toStrictEqual([["b"], 1]);
    });

    test("the soonest counts, whether it comes first or last", async () => {
      const runs = new Runs();
      work(runs);
      await wake("a", LONG);
      await wake("a", 300);
      await wake("b", 300);
      await wake("b", LONG);
      await wake("c", LONG);
      await wake("c");
      await runs.until(({ ended }) => ended.length === 3);
      expect(await settled()).toBe(0);
      expect(runs.begun.toSorted()).toStrictEqual(["a", "b", "c"]);
    });

    test("the soonest counts, of many that come at once", async () => {
      const runs = new Runs();
      work(runs);
      const delays = [LONG, 50_000, 500, 60_000, 510, LONG, 300_000, 520, 10_000, 3 * LONG];
      await Promise.all(delays.flatMap((delay, index) => [wake("a", delay), wake("b", delays[9 - index])]));
      await runs.until(({ ended }) => ended.length === 2);
      expect(await settled()).toBe(0);
      expect(runs.begun.toSorted()).toStrictEqual(["a", "b"]);
    });

    test("the soonest counts, of two that come at once by two ways", async () => {
      const runs = new Runs();
      work(runs);
      const lanes = Array.from({ length: 100 }, (_, index) => `lane ${index}`);
      const [first, second = first] = opened.instances;
      await Promise.all(lanes.flatMap((lane) => [first.wake(lane, LONG), second.wake(lane, 500)]));
      await Promise.all(lanes.flatMap((lane) => [first.wake(`${lane}b`, 500), second.wake(`${lane}b`, LONG)]));
      await runs.until(({ ended }) => ended.length >= 200);
      expect(new Set(runs.ended).size).toBe(200);
    });

    test("what comes while the lane is worked leads to one more run, after it", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new Runs(() => gate.promise);
      work(runs);
      await wake("a");
      await runs.until(({ begun }) => begun.length === 1);
      await Promise.all(Array.from({ length: 20 }, () => wake("a")));
      await wake("b");
      await runs.until(({ begun }) => begun.length === 2);
      expect(runs.begun).toStrictEqual(["a", "b"]);
      gate.resolve();
      await runs.until(({ ended }) => ended.length === 3);
      expect(await settled()).toBe(0);
      expect([runs.begun, runs.doubled]).toStrictEqual([["a", "b", "a"], []]);
    });

    test("of what comes while the lane is worked, the soonest counts", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new Runs(() => gate.promise);
      work(runs);
      await wake("a");
      await wake("b");
      await runs.until(({ begun }) => begun.length === 2);
      await wake("a", 30);
      await wake("a", LONG);
      await wake("b", LONG);
      await wake("b");
      gate.resolve();
      await runs.until(({ ended }) => ended.length === 4);
      expect(await settled()).toBe(0);
      expect(runs.begun.toSorted()).toStrictEqual(["a", "a", "b", "b"]);
    });

    test("a lane that wakes itself for later is not worked before", async () => {
      const runs: Runs = new Runs(async (lane) => {
        if (runs.of(lane) < 3) await wake(lane, 60);
      });
      work(runs);
      await wake("a");
      await runs.until(({ ended }) => ended.length === 3);
      const [first = 0, second = 0, third = 0] = runs.begunAt;
      expect([second - first >= 60, third - second >= 60, await settled()]).toStrictEqual([true, true, 0]);
    });

    test("a delay counts from when it was asked for, also where the lane is worked meanwhile", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new Runs(() => gate.promise);
      work(runs);
      await wake("a");
      await runs.until(({ begun }) => begun.length === 1);
      await wake("a", 600);
      await setTimeout(600);
      gate.resolve();
      await wake("b", 300);
      await runs.until(({ ended }) => ended.length === 3);
      expect([runs.begun, await settled()]).toStrictEqual([["a", "a", "b"], 0]);
    });

    test("a run that fails is told and repeated after pauses, until one succeeds", async () => {
      const runs: Runs = new Runs((lane) => {
        if (runs.of(lane) <= 5) throw new Error(`failure ${runs.of(lane)}`);
      });
      work(runs);
      await wake("a");
      await runs.until(({ ended }) => ended.length === 6);
      expect(await settled()).toBe(0);
      const pauses = runs.begunAt.slice(1).map((at, index) => at - (runs.begunAt[index] ?? 0));
      const least = [20, 40, 80, 100, 100];
      expect(pauses.map((pause, index) => pause >= (least[index] ?? 0))).toStrictEqual(new Array(5).fill(true));
      expect(opened.problems.map((problem) => (problem as Error).message)).toStrictEqual(
        [1, 2, 3, 4, 5].map((time) => `failure ${time}`),
      );
    });

    test("what is asked for later than the next attempt does not put it off", async () => {
      const runs: Runs = new Runs((lane) => {
        if (runs.of(lane) <= 3) throw new Error("no");
      });
      work(runs);
      await wake("a");
      for (let failures = 1; failures <= 3; failures += 1) {
        await runs.until(({ ended }) => ended.length === failures);
        await wake("a", LONG);
      }
      await runs.until(({ ended }) => ended.length === 4);
    });

    test("after a success the pauses begin anew", async () => {
      const runs: Runs = new Runs((lane) => {
        if (runs.of(lane) !== 5 && runs.of(lane) < 7) throw new Error("no");
      });
      work(runs);
      await wake("a");
      await runs.until(({ ended }) => ended.length === 5);
      await wake("a");
      await runs.until(({ ended }) => ended.length === 7);
      expect([await settled(), opened.problems.length]).toStrictEqual([0, 5]);
    });

    test("a failing lane keeps no other from being worked", async () => {
      const runs: Runs = new Runs((lane) => {
        if (lane === "bad") throw new Error("always");
      });
      work(runs, 1);
      await wake("bad");
      await Promise.all(Array.from({ length: 20 }, (_, index) => wake(`good ${index}`)));
      await runs.until(({ ended }) => ended.filter((lane) => lane !== "bad").length === 20 && runs.of("bad") >= 3);
      expect(runs.doubled).toStrictEqual([]);
    });

    test("as many lanes at a time as the worker may, and no more", async () => {
      const gates: (() => void)[] = [];
      const runs = new Runs(() => new Promise((resolve) => gates.push(resolve)));
      work(runs, 3);
      await Promise.all(Array.from({ length: 12 }, (_, index) => wake(`lane ${index}`)));
      for (let done = 0; done < 12; done += 1) {
        await runs.until(({ begun, ended }) => begun.length === Math.min(12, ended.length + 3));
        gates.shift()?.();
        await runs.until(({ ended }) => ended.length === done + 1);
      }
      expect([runs.most, runs.begun.length, await settled()]).toStrictEqual([3, 12, 0]);
    });

    test("stop waits for what runs, takes nothing new, and leaves the rest to others", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new Runs(() => gate.promise);
      const worker = work(runs, 1);
      await wake("a");
      await runs.until(({ begun }) => begun.length === 1);
      await wake("a");
      await wake("b");
      let stopped = false;
      const stopping = worker.stop().then(() => {
        stopped = true;
      });
      await queue.depth();
      expect(stopped).toBe(false);
      gate.resolve();
      await stopping;
      expect([runs.begun, runs.ended]).toStrictEqual([["a"], ["a"]]);
      expect(await queue.depth()).toStrictEqual({ ...EMPTY, waiting: 2 });
      const others = new Runs();
      work(others);
      await others.until(({ ended }) => ended.length === 2);
      expect(others.begun.toSorted()).toStrictEqual(["a", "b"]);
    });

    test("stop where nothing runs, and twice", async () => {
      const worker = work(new Runs());
      await Promise.all([worker.stop(), worker.stop()]);
      await worker.stop();
    });

    test("two workers share the lanes, and never work one at once", async () => {
      const both = new Runs(() => setTimeout(1));
      for (const instance of opened.instances) instance.work(both.handler, { concurrency: 4 });
      queue.work(both.handler, { concurrency: 4 });
      let woken = 0;
      for (let round = 0; round < 40; round += 1) {
        await Promise.all(Array.from({ length: 10 }, (_, lane) => wake(`lane ${lane}`)));
        woken += 10;
      }
      expect(await settled()).toBe(0);
      expect([both.doubled, both.begun.length <= woken, new Set(both.begun).size]).toStrictEqual([[], true, 10]);
    });

    test("ten thousand wake-ups of two hundred lanes: each lane is worked after its last", async () => {
      const runs = new Runs();
      work(runs, 50);
      const lastWoken = new Map<string, number>();
      for (let wakes = 0; wakes < 10_000; wakes += 200) {
        const lanes = Array.from({ length: 200 }, (_, index) => `lane ${index}`);
        for (const lane of lanes) lastWoken.set(lane, runs.of(lane));
        await Promise.all(lanes.map((lane, index) => wake(lane, (index + wakes) % 3 === 0 ? 5 : 0)));
      }
      while ((await settled()) > 0) await setTimeout(2);
      const missed = [...lastWoken].filter(([lane, runsBefore]) => runs.of(lane) <= runsBefore);
      expect([missed, runs.doubled, runs.most <= 50]).toStrictEqual([[], [], true]);
    });

    test("ten thousand wake-ups at once", async () => {
      const runs = new Runs();
      work(runs, 50);
      const lanes = Array.from({ length: 10_000 }, (_, index) => `lane ${index % 200}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await runs.until(({ ended }) => new Set(ended).size === 200);
      expect([await settled(), runs.doubled]).toStrictEqual([0, []]);
    });

    test("a queue that is closed takes nothing, and has waited for what ran", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new Runs(() => gate.promise);
      work(runs);
      await queue.wake("a");
      await runs.until(({ begun }) => begun.length === 1);
      const closing = queue.close();
      await expect(queue.wake("b")).rejects.toMatchObject({ name: "JobQueueUnavailable" });
      gate.resolve();
      await closing;
      await queue.close();
      expect(runs.ended).toStrictEqual(["a"]);
    });
  });
}
