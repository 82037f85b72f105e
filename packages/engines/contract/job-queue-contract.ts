import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { JobQueue, JobWorker } from "../src/job-queue/index.ts";
import { RecordingJobHandler } from "./recording-job-handler.ts";

export { RecordingJobHandler };

/** A queue for one test; several `instances` share it where the engine is a shared one. */
export interface OpenedJobQueue {
  readonly instances: readonly [JobQueue, ...JobQueue[]];
  /** The calls of `onProblem`. */
  readonly problems: readonly unknown[];
  /** Call it after closing the instances. */
  readonly dispose: () => Promise<void>;
}

/** The back-off of a queue under test. */
export const TEST_BACK_OFF = { initialMs: 20, maxMs: 100 };

const LONG = 3_600_000;
const EMPTY = { waiting: 0, delayed: 0, active: 0 };

/** The contract of every engine. */
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

    /** Uses the instances in rotation. */
    const wake = (lane: string, delayMs?: number) => {
      const instance = opened.instances[turn++ % opened.instances.length] ?? queue;
      return instance.schedule(lane, delayMs);
    };
    const work = (runs: RecordingJobHandler, concurrency = 10): JobWorker =>
      queue.startWorker(runs.handler, { concurrency });
    /** Resolves when only delayed jobs remain; returns their number. */
    const settled = async (): Promise<number> => {
      for (;;) {
        const { waiting, active, delayed } = await queue.depth();
        if (waiting + active === 0) return delayed;
        await setTimeout(2);
      }
    };

    test("each lane that was woken is worked once", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const lanes = Array.from({ length: 50 }, (_, index) => `endpoint:we_${index} booking/bkg_${index}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await runs.waitUntil(({ ended }) => ended.length === 50);
      expect(await settled()).toBe(0);
      expect(runs.started.toSorted()).toStrictEqual(lanes.toSorted());
    });

    test("wake-ups that nobody works wait for a worker, and count as one", async () => {
      await Promise.all(Array.from({ length: 50 }, () => wake("a")));
      await wake("b");
      expect(await queue.depth()).toStrictEqual({ ...EMPTY, waiting: 2 });
      const runs = new RecordingJobHandler();
      work(runs);
      await runs.waitUntil(({ ended }) => ended.length === 2);
      expect(await settled()).toBe(0);
      expect(runs.started.toSorted()).toStrictEqual(["a", "b"]);
    });

    test("a lane that was worked is worked again when it is woken again", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      for (let time = 1; time <= 5; time += 1) {
        await wake("a");
        await runs.waitUntil(({ ended }) => ended.length === time);
      }
      expect(await settled()).toBe(0);
      expect(runs.started.length).toBe(5);
    });

    test("not before its delay", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const from = Date.now();
      await wake("later", 400);
      await wake("now");
      await runs.waitUntil(({ ended }) => ended.length === 2);
      expect(runs.started).toStrictEqual(["now", "later"]);
      expect((runs.startedAt[1] ?? 0) - from).toBeGreaterThanOrEqual(400);
    });

    test("what is delayed is counted as that, and outlives its worker", async () => {
      const first = work(new RecordingJobHandler());
      await wake("a", LONG);
      await wake("b", 30);
      await first.stop();
      expect((await queue.depth()).delayed).toBeGreaterThanOrEqual(1);
      const runs = new RecordingJobHandler();
      work(runs);
      await runs.waitUntil(({ ended }) => ended.length === 1);
      expect([runs.started, await settled()]).toStrictEqual([["b"], 1]);
    });

    test("the soonest counts, whether it comes first or last", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      await wake("a", LONG);
      await wake("a", 300);
      await wake("b", 300);
      await wake("b", LONG);
      await wake("c", LONG);
      await wake("c");
      await runs.waitUntil(({ ended }) => ended.length === 3);
      expect(await settled()).toBe(0);
      expect(runs.started.toSorted()).toStrictEqual(["a", "b", "c"]);
    });

    test("the soonest counts, of many that come at once", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const delays = [LONG, 50_000, 500, 60_000, 510, LONG, 300_000, 520, 10_000, 3 * LONG];
      await Promise.all(delays.flatMap((delay, index) => [wake("a", delay), wake("b", delays[9 - index])]));
      await runs.waitUntil(({ ended }) => ended.length === 2);
      expect(await settled()).toBe(0);
      expect(runs.started.toSorted()).toStrictEqual(["a", "b"]);
    });

    test("the soonest counts, of two that come at once by two ways", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const lanes = Array.from({ length: 100 }, (_, index) => `lane ${index}`);
      const [first, second = first] = opened.instances;
      await Promise.all(lanes.flatMap((lane) => [first.schedule(lane, LONG), second.schedule(lane, 500)]));
      await Promise.all(lanes.flatMap((lane) => [first.schedule(`${lane}b`, 500), second.schedule(`${lane}b`, LONG)]));
      await runs.waitUntil(({ ended }) => ended.length >= 200);
      expect(new Set(runs.ended).size).toBe(200);
    });

    test("what comes while the lane is worked leads to one more run, after it", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      work(runs);
      await wake("a");
      await runs.waitUntil(({ started }) => started.length === 1);
      await Promise.all(Array.from({ length: 20 }, () => wake("a")));
      await wake("b");
      await runs.waitUntil(({ started }) => started.length === 2);
      expect(runs.started).toStrictEqual(["a", "b"]);
      gate.resolve();
      await runs.waitUntil(({ ended }) => ended.length === 3);
      expect(await settled()).toBe(0);
      expect([runs.started, runs.overlapping]).toStrictEqual([["a", "b", "a"], []]);
    });

    test("of what comes while the lane is worked, the soonest counts", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      work(runs);
      await wake("a");
      await wake("b");
      await runs.waitUntil(({ started }) => started.length === 2);
      await wake("a", 30);
      await wake("a", LONG);
      await wake("b", LONG);
      await wake("b");
      gate.resolve();
      await runs.waitUntil(({ ended }) => ended.length === 4);
      expect(await settled()).toBe(0);
      expect(runs.started.toSorted()).toStrictEqual(["a", "a", "b", "b"]);
    });

    test("a lane that wakes itself for later is not worked before", async () => {
      const runs: RecordingJobHandler = new RecordingJobHandler(async (lane) => {
        if (runs.runCount(lane) < 3) await wake(lane, 60);
      });
      work(runs);
      await wake("a");
      await runs.waitUntil(({ ended }) => ended.length === 3);
      const [first = 0, second = 0, third = 0] = runs.startedAt;
      expect([second - first >= 60, third - second >= 60, await settled()]).toStrictEqual([true, true, 0]);
    });

    test("a delay counts from when it was asked for, also where the lane is worked meanwhile", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      work(runs);
      await wake("a");
      await runs.waitUntil(({ started }) => started.length === 1);
      await wake("a", 600);
      await setTimeout(600);
      gate.resolve();
      await wake("b", 300);
      await runs.waitUntil(({ ended }) => ended.length === 3);
      expect([runs.started, await settled()]).toStrictEqual([["a", "a", "b"], 0]);
    });

    test("a run that fails is told and repeated after pauses, until one succeeds", async () => {
      const runs: RecordingJobHandler = new RecordingJobHandler((lane) => {
        if (runs.runCount(lane) <= 5) throw new Error(`failure ${runs.runCount(lane)}`);
      });
      work(runs);
      await wake("a");
      await runs.waitUntil(({ ended }) => ended.length === 6);
      expect(await settled()).toBe(0);
      const pauses = runs.startedAt.slice(1).map((at, index) => at - (runs.startedAt[index] ?? 0));
      const least = [20, 40, 80, 100, 100];
      expect(pauses.map((pause, index) => pause >= (least[index] ?? 0))).toStrictEqual(new Array(5).fill(true));
      expect(opened.problems.map((problem) => (problem as Error).message)).toStrictEqual(
        [1, 2, 3, 4, 5].map((time) => `failure ${time}`),
      );
    });

    test("what is asked for later than the next attempt does not put it off", async () => {
      const runs: RecordingJobHandler = new RecordingJobHandler((lane) => {
        if (runs.runCount(lane) <= 3) throw new Error("no");
      });
      work(runs);
      await wake("a");
      for (let failures = 1; failures <= 3; failures += 1) {
        await runs.waitUntil(({ ended }) => ended.length === failures);
        await wake("a", LONG);
      }
      await runs.waitUntil(({ ended }) => ended.length === 4);
    });

    test("after a success the pauses begin anew", async () => {
      const runs: RecordingJobHandler = new RecordingJobHandler((lane) => {
        if (runs.runCount(lane) !== 5 && runs.runCount(lane) < 7) throw new Error("no");
      });
      work(runs);
      await wake("a");
      await runs.waitUntil(({ ended }) => ended.length === 5);
      await wake("a");
      await runs.waitUntil(({ ended }) => ended.length === 7);
      expect([await settled(), opened.problems.length]).toStrictEqual([0, 5]);
    });

    test("a failing lane keeps no other from being worked", async () => {
      const runs: RecordingJobHandler = new RecordingJobHandler((lane) => {
        if (lane === "bad") throw new Error("always");
      });
      work(runs, 1);
      await wake("bad");
      await Promise.all(Array.from({ length: 20 }, (_, index) => wake(`good ${index}`)));
      await runs.waitUntil(
        ({ ended }) => ended.filter((lane) => lane !== "bad").length === 20 && runs.runCount("bad") >= 3,
      );
      expect(runs.overlapping).toStrictEqual([]);
    });

    test("as many lanes at a time as the worker may, and no more", async () => {
      const gates: (() => void)[] = [];
      const runs = new RecordingJobHandler(() => new Promise((resolve) => gates.push(resolve)));
      work(runs, 3);
      await Promise.all(Array.from({ length: 12 }, (_, index) => wake(`lane ${index}`)));
      for (let done = 0; done < 12; done += 1) {
        await runs.waitUntil(({ started, ended }) => started.length === Math.min(12, ended.length + 3));
        gates.shift()?.();
        await runs.waitUntil(({ ended }) => ended.length === done + 1);
      }
      expect([runs.maxConcurrent, runs.started.length, await settled()]).toStrictEqual([3, 12, 0]);
    });

    test("stop waits for what runs, takes nothing new, and leaves the rest to others", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      const worker = work(runs, 1);
      await wake("a");
      await runs.waitUntil(({ started }) => started.length === 1);
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
      expect([runs.started, runs.ended]).toStrictEqual([["a"], ["a"]]);
      expect(await queue.depth()).toStrictEqual({ ...EMPTY, waiting: 2 });
      const others = new RecordingJobHandler();
      work(others);
      await others.waitUntil(({ ended }) => ended.length === 2);
      expect(others.started.toSorted()).toStrictEqual(["a", "b"]);
    });

    test("stop where nothing runs, and twice", async () => {
      const worker = work(new RecordingJobHandler());
      await Promise.all([worker.stop(), worker.stop()]);
      await worker.stop();
    });

    test("two workers share the lanes, and never work one at once", async () => {
      const both = new RecordingJobHandler(() => setTimeout(1));
      for (const instance of opened.instances) instance.startWorker(both.handler, { concurrency: 4 });
      queue.startWorker(both.handler, { concurrency: 4 });
      let woken = 0;
      for (let round = 0; round < 40; round += 1) {
        await Promise.all(Array.from({ length: 10 }, (_, lane) => wake(`lane ${lane}`)));
        woken += 10;
      }
      expect(await settled()).toBe(0);
      expect([both.overlapping, both.started.length <= woken, new Set(both.started).size]).toStrictEqual([
        [],
        true,
        10,
      ]);
    });

    test("ten thousand wake-ups of two hundred lanes: each lane is worked after its last", async () => {
      const runs = new RecordingJobHandler();
      work(runs, 50);
      const lastWoken = new Map<string, number>();
      for (let wakes = 0; wakes < 10_000; wakes += 200) {
        const lanes = Array.from({ length: 200 }, (_, index) => `lane ${index}`);
        for (const lane of lanes) lastWoken.set(lane, runs.runCount(lane));
        await Promise.all(lanes.map((lane, index) => wake(lane, (index + wakes) % 3 === 0 ? 5 : 0)));
      }
      while ((await settled()) > 0) await setTimeout(2);
      const missed = [...lastWoken].filter(([lane, runsBefore]) => runs.runCount(lane) <= runsBefore);
      expect([missed, runs.overlapping, runs.maxConcurrent <= 50]).toStrictEqual([[], [], true]);
    });

    test("ten thousand wake-ups at once", async () => {
      const runs = new RecordingJobHandler();
      work(runs, 50);
      const lanes = Array.from({ length: 10_000 }, (_, index) => `lane ${index % 200}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await runs.waitUntil(({ ended }) => new Set(ended).size === 200);
      expect([await settled(), runs.overlapping]).toStrictEqual([0, []]);
    });

    test("a queue that is closed takes nothing, and has waited for what ran", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      work(runs);
      await queue.schedule("a");
      await runs.waitUntil(({ started }) => started.length === 1);
      const closing = queue.close();
      await expect(queue.schedule("b")).rejects.toMatchObject({ name: "JobQueueUnavailable" });
      gate.resolve();
      await closing;
      await queue.close();
      expect(runs.ended).toStrictEqual(["a"]);
    });
  });
}
