import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { JobQueue, JobWorker } from "../src/job-queue/index.ts";
import { RecordingJobHandler } from "./recording-job-handler.ts";

export { RecordingJobHandler };

/** A queue for one test; several `instances` share it where the engine is a shared one. */
export interface OpenedJobQueue {
  readonly instances: readonly [JobQueue, ...JobQueue[]];
  /** Call it after closing the instances. */
  readonly dispose: () => Promise<void>;
}

const LONG = 3_600_000;

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
    const work = (runs: RecordingJobHandler): JobWorker => queue.startWorker(runs.handler);

    test("each lane that was woken is worked once", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const lanes = Array.from({ length: 50 }, (_, index) => `endpoint:we_${index} booking/bkg_${index}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await wake("last", 50);
      await runs.waitUntil(({ ended }) => ended.length === 51);
      expect(runs.started.toSorted()).toStrictEqual([...lanes, "last"].toSorted());
    });

    test("wake-ups that nobody works wait for a worker", async () => {
      await wake("a");
      await wake("b");
      await wake("c", 30);
      const runs = new RecordingJobHandler();
      work(runs);
      await runs.waitUntil(({ ended }) => ended.length === 3);
      expect(runs.started.toSorted()).toStrictEqual(["a", "b", "c"]);
    });

    test("a lane that was worked is worked again when it is woken again", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      for (let time = 1; time <= 5; time += 1) {
        await wake("a");
        await runs.waitUntil(({ ended }) => ended.length === time);
      }
      expect(runs.started.length).toBe(5);
    });

    test("not before its delay", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const from = Date.now();
      await wake("later", 400);
      await wake("much later", 1_500);
      await wake("now");
      await runs.waitUntil(({ ended }) => ended.length === 3);
      expect(runs.started).toStrictEqual(["now", "later", "much later"]);
      expect((runs.startedAt[1] ?? 0) - from).toBeGreaterThanOrEqual(400);
      expect((runs.startedAt[2] ?? 0) - from).toBeGreaterThanOrEqual(1_500);
    });

    test("what is delayed outlives its worker", async () => {
      const first = work(new RecordingJobHandler());
      await wake("a", LONG);
      await wake("b", 30);
      await first.stop();
      const runs = new RecordingJobHandler();
      work(runs);
      await wake("c", 100);
      await runs.waitUntil(({ ended }) => ended.includes("c"));
      expect(runs.started.filter((lane) => lane !== "b")).toStrictEqual(["c"]);
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
      expect(runs.started.toSorted()).toStrictEqual(["a", "b", "c"]);
    });

    test("the soonest counts, of many that come at once by several ways", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const delays = [LONG, 50_000, 500, 60_000, 510, LONG, 300_000, 520, 10_000, 3 * LONG];
      const lanes = Array.from({ length: 50 }, (_, index) => `lane ${index}`);
      await Promise.all(lanes.flatMap((lane, at) => delays.map((_, index) => wake(lane, delays[(at + index) % 10]))));
      await runs.waitUntil(({ ended }) => new Set(ended).size === 50);
    });

    test("what comes while a lane is being worked leads to another run", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      work(runs);
      await wake("a");
      await runs.waitUntil(({ started }) => started.length === 1);
      await wake("a");
      await wake("a", 1_200);
      await runs.waitUntil(({ started }) => started.length >= 2);
      gate.resolve();
      await runs.waitUntil(({ ended }) => ended.length === 3);
      expect(runs.started).toStrictEqual(["a", "a", "a"]);
    });

    test("a lane that wakes itself for later is not worked before", async () => {
      const runs: RecordingJobHandler = new RecordingJobHandler(async (lane) => {
        if (runs.runCount(lane) < 3) await wake(lane, 60);
      });
      work(runs);
      await wake("a");
      await runs.waitUntil(({ ended }) => ended.length === 3);
      const [first = 0, second = 0, third = 0] = runs.startedAt;
      expect([second - first >= 60, third - second >= 60]).toStrictEqual([true, true]);
    });

    test("stop waits for what runs, and leaves what comes afterwards to others", async () => {
      const gate = Promise.withResolvers<void>();
      const runs = new RecordingJobHandler(() => gate.promise);
      const worker = work(runs);
      await wake("a");
      await runs.waitUntil(({ started }) => started.length === 1);
      let stopped = false;
      const stopping = worker.stop().then(() => {
        stopped = true;
      });
      await wake("b", 1_500);
      expect(stopped).toBe(false);
      gate.resolve();
      await stopping;
      await wake("a");
      await wake("c");
      expect([runs.started, runs.ended]).toStrictEqual([["a"], ["a"]]);
      const others = new RecordingJobHandler();
      work(others);
      await others.waitUntil(({ ended }) => ended.length === 3);
      expect(others.started.toSorted()).toStrictEqual(["a", "b", "c"]);
    });

    test("stop where nothing runs, and twice", async () => {
      const worker = work(new RecordingJobHandler());
      await Promise.all([worker.stop(), worker.stop()]);
      await worker.stop();
    });

    test("workers share the wake-ups: each has one run", async () => {
      const all = new RecordingJobHandler(() => setTimeout(1));
      for (const instance of opened.instances) instance.startWorker(all.handler);
      const stopped = queue.startWorker(all.handler);
      const lanes = Array.from({ length: 400 }, (_, index) => `lane ${index}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await all.waitUntil(({ ended }) => ended.length >= 400);
      await stopped.stop();
      await wake("last", 50);
      await all.waitUntil(({ ended }) => ended.includes("last"));
      expect(all.started.toSorted()).toStrictEqual([...lanes, "last"].toSorted());
    });

    test("ten thousand wake-ups of two hundred lanes: each lane is worked after its last", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const lanes = Array.from({ length: 200 }, (_, index) => `lane ${index}`);
      const lastWoken = new Map<string, number>();
      for (let wakes = 0; wakes < 10_000; wakes += 200) {
        for (const lane of lanes) lastWoken.set(lane, runs.runCount(lane));
        await Promise.all(lanes.map((lane, index) => wake(lane, (index + wakes) % 3 === 0 ? 5 : 0)));
      }
      await runs.waitUntil(() => lanes.every((lane) => runs.runCount(lane) > (lastWoken.get(lane) ?? 0)));
    });

    test("ten thousand wake-ups at once", async () => {
      const runs = new RecordingJobHandler();
      work(runs);
      const lanes = Array.from({ length: 10_000 }, (_, index) => `lane ${index % 200}`);
      await Promise.all(lanes.map((lane) => wake(lane)));
      await runs.waitUntil(({ ended }) => new Set(ended).size === 200);
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
