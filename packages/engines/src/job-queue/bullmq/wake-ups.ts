import type { Queue } from "bullmq";
import type { QueueDepth } from "../port.ts";
import { type LaneJob, wakeUp } from "./options.ts";
import type { Soonest } from "./soonest.ts";

/** The wake-ups of a queue: one job for each lane that is to be worked, at the soonest time that was asked for. */
export class WakeUps {
  readonly #queue: Queue<LaneJob>;
  readonly #soonest: Soonest;

  constructor(queue: Queue<LaneJob>, soonest: Soonest) {
    this.#queue = queue;
    this.#soonest = soonest;
  }

  /** Two at once may overtake each other between their two steps: whoever sees a sooner one afterwards adds that, too. */
  async add(lane: string, delayMs: number): Promise<void> {
    for (;;) {
      const { dueAt, delay } = await this.#soonest.askFor(lane, delayMs);
      await this.#queue.add("wake-up", { lane }, wakeUp(lane, delay));
      if (delay === 0 || !(await this.#soonest.isSoonerThan(lane, dueAt))) return;
    }
  }

  /** A run begins: it is for all who asked so far. */
  async runBegins(lane: string): Promise<void> {
    await this.#soonest.forget(lane);
  }

  /** A run has ended well: the library would count the delay of the next, which waits for that, from now on. */
  async runEnds(lane: string): Promise<void> {
    const left = await this.#soonest.left(lane);
    if (left !== undefined) await this.#queue.add("wake-up", { lane }, wakeUp(lane, left));
  }

  /** A run has failed: what is asked for during the pause may end it, and must not lengthen it. */
  async runFails(lane: string, pauseMs: number): Promise<void> {
    await this.#soonest.askFor(lane, pauseMs);
  }

  async depth(): Promise<QueueDepth> {
    const counts = await this.#queue.getJobCounts("wait", "delayed", "active");
    return { waiting: counts.wait ?? 0, delayed: counts.delayed ?? 0, active: counts.active ?? 0 };
  }
}
