import { type BackoffOptions, withTimeout } from "@travel-booking/runtime/real-time";
import { type Job, Worker } from "bullmq";
import { LRUCache } from "lru-cache";
import { type RedisConnection, redisUnavailable } from "../../redis/index.ts";
import { backOffDelay, type JobHandler, type JobWorker, type JobWorkerOptions } from "../index.ts";
import { WorkerClients } from "./clients.ts";
import type { JobData, ScheduledJobs } from "./scheduled-jobs.ts";

interface BullMqJobWorkerOptions extends JobWorkerOptions {
  readonly redis: RedisConnection;
  readonly name: string;
  readonly prefix: string;
  readonly jobs: ScheduledJobs;
  readonly handler: JobHandler;
  readonly onProblem: (error: unknown) => void;
  readonly backOff: BackoffOptions;
  readonly lockMs: number;
}

/** Real milliseconds for reporting the end of the last runs. */
const DRAIN_TIMEOUT_MS = 2_000;
const REFUSED_PAUSE_MS = 1_000;

/** Works lanes in this process. It survives a Redis that is out of reach, emptied or replaced. */
export class BullMqJobWorker implements JobWorker {
  readonly #options: BullMqJobWorkerOptions;
  readonly #clients: WorkerClients;
  readonly #activeJobs: ActiveJobs;
  readonly #worker: Worker<JobData>;
  readonly #report: (error: Error) => void;
  #pauseTimer: NodeJS.Timeout | undefined;
  #stopped: Promise<void> | undefined;

  constructor(options: BullMqJobWorkerOptions) {
    const { redis, name, prefix, concurrency, lockMs, backOff, onProblem } = options;
    this.#options = options;
    this.#clients = new WorkerClients(redis);
    this.#activeJobs = new ActiveJobs(lockMs);
    this.#worker = new Worker<JobData>(name, (job) => this.#run(job), {
      connection: this.#clients.base,
      prefix,
      concurrency,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A lane whose workers have died is worked all the same: failing its job would lose a wake-up.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1_000,
      settings: { backoffStrategy: (failures) => backOffDelay(failures, backOff) },
    });
    const password = redis.client.options.password ?? undefined;
    const report = throttleErrors(onProblem);
    this.#report = (error) => report(redisUnavailable("the job queue", error, password));
    this.#worker.on("error", (error) => {
      this.#report(error);
      if (error.name === "ReplyError") this.#pauseBriefly();
    });
    this.#worker.on("locksRenewed", ({ jobIds }) => this.#activeJobs.lockRenewed(jobIds));
    this.#worker.on("lockRenewalFailed", (jobIds) => this.#activeJobs.lockLost(jobIds));
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #run(job: Job<JobData>): Promise<void> {
    const { jobs, handler, onProblem, backOff } = this.#options;
    const { id = "", attemptsMade } = job;
    const { lane } = job.data;
    const signal = await this.#activeJobs.start(id, lane);
    try {
      await jobs.runStarted(lane).catch(this.#report);
      await handler(lane, signal);
      await jobs.runSucceeded(lane).catch(this.#report);
    } catch (error) {
      onProblem(error);
      await jobs.runFailed(lane, backOffDelay(attemptsMade + 1, backOff)).catch(this.#report);
      // BullMQ stores the message with the job, so it gets none of the handler.
      throw new Error("the run failed");
    } finally {
      this.#activeJobs.finish(id);
    }
  }

  /** BullMQ repeats refused commands at once, thousands of times a second. */
  #pauseBriefly(): void {
    if (this.#pauseTimer !== undefined || this.#stopped !== undefined) return;
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      this.#worker.resume();
    }, REFUSED_PAUSE_MS);
    this.#worker.pause(true);
  }

  /** BullMQ waits without a limit to report the end of the last runs. */
  async #stop(): Promise<void> {
    clearTimeout(this.#pauseTimer);
    const closing = this.#worker.close();
    const isClosed = () =>
      withTimeout(closing, DRAIN_TIMEOUT_MS, () => new Error("late")).then(
        () => true,
        () => false,
      );
    do await this.#activeJobs.idle();
    while (!(await isClosed()) && this.#activeJobs.size > 0);
    await this.#clients.closeAll();
    await isClosed();
  }
}

interface ActiveJob {
  readonly key: string;
  readonly lockLost: AbortController;
  readonly ended: PromiseWithResolvers<void>;
  /** By `performance.now()`. */
  lockedSince: number;
}

/**
 * The present runs of a worker, by job. A worker that could not renew its lock for long loses its lanes to others:
 * their signals abort when BullMQ reports that, and also when it can't for as long.
 */
class ActiveJobs {
  readonly #runs = new Map<string, ActiveJob>();
  readonly #lockMs: number;
  #lockTimer: NodeJS.Timeout | undefined;

  constructor(lockMs: number) {
    this.#lockMs = lockMs;
  }

  /** Waits for a run of the same lane in this worker, which a queue that was emptied meanwhile does not know. */
  async start(job: string, lane: string): Promise<AbortSignal> {
    for (let other = this.#runOf(lane); other !== undefined; other = this.#runOf(lane)) await other.ended.promise;
    const lockLost = new AbortController();
    this.#runs.set(job, {
      key: lane,
      lockLost,
      ended: Promise.withResolvers(),
      lockedSince: performance.now(),
    });
    this.#lockTimer ??= setInterval(() => this.#loseExpiredLocks(), this.#lockMs / 4);
    return lockLost.signal;
  }

  finish(job: string): void {
    this.#runs.get(job)?.ended.resolve();
    this.#runs.delete(job);
    if (this.#runs.size > 0) return;
    clearInterval(this.#lockTimer);
    this.#lockTimer = undefined;
  }

  lockRenewed(jobs: readonly string[]): void {
    for (const job of jobs) {
      const run = this.#runs.get(job);
      if (run !== undefined) run.lockedSince = performance.now();
    }
  }

  lockLost(jobs: readonly string[]): void {
    for (const job of jobs)
      this.#runs.get(job)?.lockLost.abort(new Error("the lock was lost: another worker may have taken the job over"));
  }

  get size(): number {
    return this.#runs.size;
  }

  /** Resolves when no run is left. */
  async idle(): Promise<void> {
    while (this.#runs.size > 0) await Promise.all([...this.#runs.values()].map((run) => run.ended.promise));
  }

  #runOf(lane: string): ActiveJob | undefined {
    return [...this.#runs.values()].find((run) => run.key === lane);
  }

  #loseExpiredLocks(): void {
    const limit = performance.now() - this.#lockMs;
    this.lockLost([...this.#runs].filter(([, run]) => run.lockedSince < limit).map(([job]) => job));
  }
}

/** Reports a problem no more than once in half a minute: a worker without its server has one after the other. */
export function throttleErrors(report: (error: Error) => void): (error: Error) => void {
  const reported = new LRUCache<string, true>({ max: 100, ttl: 30_000 });
  return (error) => {
    if (reported.has(error.message)) return;
    reported.set(error.message, true);
    report(error);
  };
}
