import type { Queue } from "bullmq";
import type { QueueDepth } from "../port.ts";
import type { DueTimes } from "./due-times.ts";
import { type JobData, jobOptions } from "./job-options.ts";

/** The wake-ups of a queue: one job for each lane that is to be worked, at the soonest time that was asked for. */
export class ScheduledJobs {
  readonly #queue: Queue<JobData>;
  readonly #dueTimes: DueTimes;

  constructor(queue: Queue<JobData>, soonest: DueTimes) {
    this.#queue = queue;
    this.#dueTimes = soonest;
  }

  /** Two at once may overtake each other between their two steps: whoever sees a sooner one afterwards adds that, too. */
  async add(lane: string, delayMs: number): Promise<void> {
    for (;;) {
      const { dueAt, delay } = await this.#dueTimes.scheduleEarliest(lane, delayMs);
      await this.#queue.add("wake-up", { lane }, jobOptions(lane, delay));
      if (delay === 0 || !(await this.#dueTimes.isEarlierThan(lane, dueAt))) return;
    }
  }

  /** A run begins: it is for all who asked so far. */
  async runStarted(lane: string): Promise<void> {
    await this.#dueTimes.delete(lane);
  }

  /** A run has ended well: the library would count the delay of the next, which waits for that, from now on. */
  async runSucceeded(lane: string): Promise<void> {
    const left = await this.#dueTimes.remainingMs(lane);
    if (left !== undefined) await this.#queue.add("wake-up", { lane }, jobOptions(lane, left));
  }

  /** A run has failed: what is asked for during the pause may end it, and must not lengthen it. */
  async runFailed(lane: string, pauseMs: number): Promise<void> {
    await this.#dueTimes.scheduleEarliest(lane, pauseMs);
  }

  async depth(): Promise<QueueDepth> {
    const counts = await this.#queue.getJobCounts("wait", "delayed", "active");
    return { waiting: counts.wait ?? 0, delayed: counts.delayed ?? 0, active: counts.active ?? 0 };
  }
}
