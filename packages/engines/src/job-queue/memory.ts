import { Fifo } from "@travel-booking/runtime/fifo";
import type { BackoffOptions } from "@travel-booking/runtime/real-time";
import {
  backOffDelay,
  DEFAULT_JOB_BACK_OFF,
  type JobHandler,
  type JobQueue,
  JobQueueUnavailable,
  type JobWorker,
  type JobWorkerOptions,
  type QueueDepth,
} from "./index.ts";

interface InMemoryJobQueueOptions {
  /** A run failed; it is retried. */
  readonly onProblem?: (error: unknown) => void;
  readonly backOff?: BackoffOptions;
}

/** For one process; lost when it ends. */
export class InMemoryJobQueue implements JobQueue {
  readonly #jobs = new Map<string, ScheduledJob>();
  /** In the order in which they became due. */
  readonly #waiting = new Fifo<ScheduledJob>();
  readonly #depth = { waiting: 0, delayed: 0, active: 0 };
  readonly #workers = new Set<InMemoryJobWorker>();
  /** No other process takes a lane. */
  readonly #neverAborted = new AbortController().signal;
  readonly #onProblem: ((error: unknown) => void) | undefined;
  readonly #backOff: BackoffOptions;
  #closed = false;

  constructor({ onProblem, backOff = DEFAULT_JOB_BACK_OFF }: InMemoryJobQueueOptions = {}) {
    this.#onProblem = onProblem;
    this.#backOff = backOff;
  }

  async schedule(name: string, delayMs = 0): Promise<void> {
    if (this.#closed) throw new JobQueueUnavailable("the job queue is closed");
    const lane = this.#jobs.get(name) ?? this.#newJob(name);
    if (lane.schedule(performance.now() + delayMs) && lane.state === "delayed") this.#startTimer(lane);
  }

  startWorker(handler: JobHandler, { concurrency }: JobWorkerOptions): JobWorker {
    const worker: InMemoryJobWorker = { handler, concurrency, running: 0 };
    this.#workers.add(worker);
    queueMicrotask(() => this.#dispatch());
    return {
      stop: async () => {
        await stop(worker);
        this.#workers.delete(worker);
      },
    };
  }

  async depth(): Promise<QueueDepth> {
    return { ...this.#depth };
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const lane of this.#jobs.values()) lane.clear();
    this.#waiting.clear();
    await Promise.all([...this.#workers].map(stop));
  }

  #newJob(name: string): ScheduledJob {
    const lane = new ScheduledJob(name);
    this.#jobs.set(name, lane);
    this.#depth[lane.state] += 1;
    return lane;
  }

  #forget(lane: ScheduledJob): void {
    this.#jobs.delete(lane.key);
    this.#depth[lane.state] -= 1;
  }

  #setState(lane: ScheduledJob, state: ScheduledJob["state"]): void {
    this.#depth[lane.state] -= 1;
    this.#depth[state] += 1;
    lane.state = state;
  }

  #startTimer(lane: ScheduledJob): void {
    this.#setState(lane, "delayed");
    lane.whenDue(() => {
      this.#setState(lane, "waiting");
      this.#waiting.push(lane);
      queueMicrotask(() => this.#dispatch());
    });
  }

  #dispatch(): void {
    while (this.#waiting.size > 0) {
      const worker = this.#freeWorker();
      const lane = worker && this.#waiting.shift();
      if (worker === undefined || lane === undefined) return;
      void this.#run(lane, worker);
    }
  }

  #freeWorker(): InMemoryJobWorker | undefined {
    return [...this.#workers].find(
      ({ stopped, running, concurrency }) => stopped === undefined && running < concurrency,
    );
  }

  async #run(lane: ScheduledJob, worker: InMemoryJobWorker): Promise<void> {
    this.#setState(lane, "active");
    lane.clear();
    worker.running += 1;
    try {
      await worker.handler(lane.key, this.#neverAborted);
      lane.failures = 0;
    } catch (error) {
      lane.failures += 1;
      // The retry is also the run for wake-ups during the failed one.
      lane.clear();
      lane.schedule(performance.now() + backOffDelay(lane.failures, this.#backOff));
      this.#onProblem?.(error);
    }
    if (this.#closed || !lane.isScheduled) this.#forget(lane);
    else this.#startTimer(lane);
    worker.running -= 1;
    if (worker.running === 0) worker.stopped?.resolve();
    this.#dispatch();
  }
}

interface InMemoryJobWorker extends JobWorkerOptions {
  readonly handler: JobHandler;
  /** Present runs. */
  running: number;
  /** Resolves when it has stopped; undefined while it is not stopping. */
  stopped?: PromiseWithResolvers<void>;
}

function stop(worker: InMemoryJobWorker): Promise<void> {
  worker.stopped ??= Promise.withResolvers();
  if (worker.running === 0) worker.stopped.resolve();
  return worker.stopped.promise;
}

/** The longest delay of setTimeout. */
const MAX_TIMER_MS = 2_147_483_647;

/** A lane and the time of its next run, by `performance.now()`. */
class ScheduledJob {
  readonly key: string;
  /** Only a delayed lane has a running timer. */
  state: "delayed" | "waiting" | "active" = "delayed";
  failures = 0;
  #dueAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(name: string) {
    this.key = name;
  }

  get isScheduled(): boolean {
    return this.#dueAt !== undefined;
  }

  /** False if an earlier run is scheduled. */
  schedule(dueAt: number): boolean {
    if (this.#dueAt !== undefined && this.#dueAt <= dueAt) return false;
    this.#dueAt = dueAt;
    return true;
  }

  /** Calls back when it is due: now, or later. */
  whenDue(callback: () => void): void {
    clearTimeout(this.#timer);
    const left = (this.#dueAt ?? 0) - performance.now();
    if (left <= 0) callback();
    else this.#timer = setTimeout(() => this.whenDue(callback), Math.min(Math.ceil(left), MAX_TIMER_MS));
  }

  /** Nothing is scheduled any more. */
  clear(): void {
    clearTimeout(this.#timer);
    this.#dueAt = undefined;
  }
}
