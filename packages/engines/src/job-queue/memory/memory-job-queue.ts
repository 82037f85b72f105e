import { JobQueueUnavailable } from "../job-queue-unavailable.ts";
import { DEFAULT_PAUSES, type Pauses, pauseAfter } from "../pauses.ts";
import type { JobQueue, LaneHandler, LaneWorker, LaneWorkerOptions, QueueDepth } from "../port.ts";
import { Lane } from "./lane.ts";
import { MemoryLaneWorker } from "./memory-lane-worker.ts";

export interface MemoryJobQueueOptions {
  /** A handler failed; its lane is tried again. */
  readonly onProblem?: (error: unknown) => void;
  readonly pauses?: Pauses;
}

/** For one process, whose end it does not outlive. */
export class MemoryJobQueue implements JobQueue {
  readonly #lanes = new Map<string, Lane>();
  /** In the order they became due. */
  readonly #waiting = new Set<Lane>();
  readonly #workers = new Set<MemoryLaneWorker>();
  /** In one process nobody else takes a lane over. */
  readonly #never = new AbortController().signal;
  readonly #onProblem: ((error: unknown) => void) | undefined;
  readonly #pauses: Pauses;
  #closed = false;

  constructor({ onProblem, pauses = DEFAULT_PAUSES }: MemoryJobQueueOptions = {}) {
    this.#onProblem = onProblem;
    this.#pauses = pauses;
  }

  async wake(name: string, delayMs = 0): Promise<void> {
    if (this.#closed) throw new JobQueueUnavailable("the job queue is closed");
    const lane = this.#lanes.get(name) ?? new Lane(name);
    this.#lanes.set(name, lane);
    if (lane.askFor(performance.now() + delayMs) && lane.state === "delayed") this.#arm(lane);
  }

  work(handler: LaneHandler, { concurrency }: LaneWorkerOptions): LaneWorker {
    const worker = new MemoryLaneWorker(handler, concurrency);
    this.#workers.add(worker);
    queueMicrotask(() => this.#handOut());
    return {
      stop: async () => {
        await worker.stop();
        this.#workers.delete(worker);
      },
    };
  }

  async depth(): Promise<QueueDepth> {
    const depth = { waiting: 0, delayed: 0, active: 0 };
    for (const { state } of this.#lanes.values()) depth[state] += 1;
    return depth;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#lanes.values()) lane.clear();
    this.#waiting.clear();
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #arm(lane: Lane): void {
    lane.state = "delayed";
    lane.onceDue(() => {
      lane.state = "waiting";
      this.#waiting.add(lane);
      queueMicrotask(() => this.#handOut());
    });
  }

  #handOut(): void {
    for (const lane of this.#waiting) {
      const worker = [...this.#workers].find(({ isFree }) => isFree);
      if (worker === undefined) return;
      this.#waiting.delete(lane);
      this.#run(lane, worker);
    }
  }

  async #run(lane: Lane, worker: MemoryLaneWorker): Promise<void> {
    lane.state = "active";
    lane.clear();
    worker.begin();
    try {
      await worker.handler(lane.name, this.#never);
      lane.failures = 0;
    } catch (error) {
      lane.failures += 1;
      // The attempt after the pause is also for those who asked for one meanwhile.
      lane.clear();
      lane.askFor(performance.now() + pauseAfter(lane.failures, this.#pauses));
      this.#onProblem?.(error);
    }
    if (this.#closed || !lane.isAskedFor) this.#lanes.delete(lane.name);
    else this.#arm(lane);
    worker.end();
    this.#handOut();
  }
}
