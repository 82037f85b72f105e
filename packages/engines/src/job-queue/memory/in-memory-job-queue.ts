import { backOffDelay, DEFAULT_JOB_BACK_OFF, type JobBackOff } from "../job-back-off.ts";
import { JobQueueUnavailable } from "../job-queue-unavailable.ts";
import type { JobHandler, JobQueue, JobWorker, JobWorkerOptions, QueueDepth } from "../port.ts";
import { InMemoryJobWorker } from "./in-memory-job-worker.ts";
import { ScheduledJob } from "./scheduled-job.ts";

export interface InMemoryJobQueueOptions {
  /** A handler failed; its lane is tried again. */
  readonly onProblem?: (error: unknown) => void;
  readonly backOff?: JobBackOff;
}

/** For one process, whose end it does not outlive. */
export class InMemoryJobQueue implements JobQueue {
  readonly #jobs = new Map<string, ScheduledJob>();
  /** In the order they became due. */
  readonly #waiting = new Set<ScheduledJob>();
  readonly #workers = new Set<InMemoryJobWorker>();
  /** In one process nobody else takes a lane over. */
  readonly #neverAborted = new AbortController().signal;
  readonly #onProblem: ((error: unknown) => void) | undefined;
  readonly #pauses: JobBackOff;
  #closed = false;

  constructor({ onProblem, backOff = DEFAULT_JOB_BACK_OFF }: InMemoryJobQueueOptions = {}) {
    this.#onProblem = onProblem;
    this.#pauses = backOff;
  }

  async schedule(name: string, delayMs = 0): Promise<void> {
    if (this.#closed) throw new JobQueueUnavailable("the job queue is closed");
    const lane = this.#jobs.get(name) ?? new ScheduledJob(name);
    this.#jobs.set(name, lane);
    if (lane.schedule(performance.now() + delayMs) && lane.state === "delayed") this.#startTimer(lane);
  }

  startWorker(handler: JobHandler, { concurrency }: JobWorkerOptions): JobWorker {
    const worker = new InMemoryJobWorker(handler, concurrency);
    this.#workers.add(worker);
    queueMicrotask(() => this.#dispatch());
    return {
      stop: async () => {
        await worker.stop();
        this.#workers.delete(worker);
      },
    };
  }

  async depth(): Promise<QueueDepth> {
    const depth = { waiting: 0, delayed: 0, active: 0 };
    for (const { state } of this.#jobs.values()) depth[state] += 1;
    return depth;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#jobs.values()) lane.clear();
    this.#waiting.clear();
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
  }

  #startTimer(lane: ScheduledJob): void {
    lane.state = "delayed";
    lane.whenDue(() => {
      lane.state = "waiting";
      this.#waiting.add(lane);
      queueMicrotask(() => this.#dispatch());
    });
  }

  #dispatch(): void {
    for (const lane of this.#waiting) {
      const worker = [...this.#workers].find(({ isFree }) => isFree);
      if (worker === undefined) return;
      this.#waiting.delete(lane);
      this.#run(lane, worker);
    }
  }

  async #run(lane: ScheduledJob, worker: InMemoryJobWorker): Promise<void> {
    lane.state = "active";
    lane.clear();
    worker.begin();
    try {
      await worker.handler(lane.key, this.#neverAborted);
      lane.failures = 0;
    } catch (error) {
      lane.failures += 1;
      // The attempt after the pause is also for those who asked for one meanwhile.
      lane.clear();
      lane.schedule(performance.now() + backOffDelay(lane.failures, this.#pauses));
      this.#onProblem?.(error);
    }
    if (this.#closed || !lane.isScheduled) this.#jobs.delete(lane.key);
    else this.#startTimer(lane);
    worker.end();
    this.#dispatch();
  }
}
