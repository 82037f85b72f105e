import { Fifo } from "@travel-booking/runtime/fifo";
import { type BackoffOptions, withTimeout } from "@travel-booking/runtime/real-time";
import { Queue } from "bullmq";
import { endClient, type RedisConnection, redisUnavailable } from "../../redis/index.ts";
import {
  DEFAULT_JOB_BACK_OFF,
  type JobHandler,
  type JobQueue,
  JobQueueUnavailable,
  type JobWorker,
  type JobWorkerOptions,
  type QueueDepth,
} from "../index.ts";
import { BullMqJobWorker } from "./bullmq-job-worker.ts";
import { type Client, COMMAND_TIMEOUT_MS, queueClient } from "./clients.ts";
import { DueTimes, type JobData, ScheduledJobs } from "./scheduled-jobs.ts";

export interface BullMqJobQueueOptions {
  /** A run failed, or Redis is out of reach; both are retried. */
  readonly onProblem?: (error: unknown) => void;
  readonly backOff?: BackoffOptions;
  /**
   * Milliseconds of real time a worker may be silent before others take its lanes, within up to twice that; by default
   * 30,000.
   */
  readonly lockMs?: number;
}

const LOCK_MS = 30_000;

/**
 * A queue on Redis, shared by all processes that open this name there. It has its own connections, which recover by
 * themselves; a Redis that is emptied or lost takes the wake-ups with it.
 */
export function openBullMqJobQueue(
  redis: RedisConnection,
  name: string,
  options: BullMqJobQueueOptions = {},
): JobQueue {
  return new BullMqJobQueue(redis, name, options);
}

class BullMqJobQueue implements JobQueue {
  readonly #redis: RedisConnection;
  readonly #name: string;
  readonly #prefix: string;
  readonly #client: Client;
  readonly #queue: Queue<JobData>;
  readonly #jobs: ScheduledJobs;
  readonly #enqueueLimiter = new EnqueueLimiter((lane, delayMs) =>
    this.#withTimeout(() => this.#jobs.add(lane, delayMs)),
  );
  readonly #workers = new Set<JobWorker>();
  readonly #onProblem: (error: unknown) => void;
  readonly #options: BullMqJobQueueOptions;
  #closed: Promise<void> | undefined;

  constructor(redis: RedisConnection, name: string, options: BullMqJobQueueOptions) {
    this.#redis = redis;
    this.#name = name;
    this.#options = options;
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#prefix = `${redis.keyPrefix}jobs`;
    this.#client = queueClient(redis);
    // BullMQ would check the server once, and be unusable for ever if that failed.
    const withoutChecks = { skipWaitingForReady: true, skipVersionCheck: true, skipMetasUpdate: true };
    this.#queue = new Queue(name, { connection: this.#client, prefix: this.#prefix, ...withoutChecks });
    // Callers get a rejection.
    this.#queue.on("error", () => undefined);
    this.#jobs = new ScheduledJobs(this.#queue, new DueTimes(this.#client, `${redis.keyPrefix}wake-ups:${name}`));
  }

  schedule(lane: string, delayMs = 0): Promise<void> {
    return this.#enqueueLimiter.send(lane, delayMs);
  }

  startWorker(handler: JobHandler, { concurrency }: JobWorkerOptions): JobWorker {
    const { backOff = DEFAULT_JOB_BACK_OFF, lockMs = LOCK_MS } = this.#options;
    const shared = { redis: this.#redis, name: this.#name, prefix: this.#prefix, jobs: this.#jobs };
    const worker = new BullMqJobWorker({
      ...shared,
      handler,
      concurrency,
      backOff,
      lockMs,
      onProblem: this.#onProblem,
    });
    this.#workers.add(worker);
    return {
      stop: async () => {
        await worker.stop();
        this.#workers.delete(worker);
      },
    };
  }

  depth(): Promise<QueueDepth> {
    return this.#withTimeout(() => this.#jobs.depth());
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all([...this.#workers].map((worker) => worker.stop()));
    await this.#queue.close();
    await endClient(this.#client);
  }

  async #withTimeout<T>(what: () => Promise<T>): Promise<T> {
    try {
      if (this.#closed !== undefined) throw new Error("it is closed");
      return await withTimeout(
        what(),
        COMMAND_TIMEOUT_MS,
        () => new Error(`no answer within ${COMMAND_TIMEOUT_MS} ms`),
      );
    } catch (error) {
      const { message } = redisUnavailable("the job queue", error, this.#client.options.password ?? undefined);
      throw new JobQueueUnavailable(message);
    }
  }
}

interface PendingEnqueue {
  /** By `performance.now()`. */
  dueAt: number;
  readonly completion: PromiseWithResolvers<void>;
}

const MAX_IN_FLIGHT = 100;

/**
 * Limits concurrent wake-ups: in a burst of thousands each would wait for all, and time out. Waiting wake-ups of one
 * lane are sent as one. When one fails, all that wait fail with it, as they would, too.
 */
export class EnqueueLimiter {
  readonly #enqueue: (lane: string, delayMs: number) => Promise<void>;
  readonly #waiting = new Map<string, PendingEnqueue>();
  /** The waiting lanes, each once. */
  readonly #order = new Fifo<string>();
  #inFlight = 0;

  constructor(enqueue: (lane: string, delayMs: number) => Promise<void>) {
    this.#enqueue = enqueue;
  }

  send(lane: string, delayMs: number): Promise<void> {
    const waiting = this.#waiting.get(lane) ?? this.#add(lane);
    waiting.dueAt = Math.min(waiting.dueAt, performance.now() + delayMs);
    this.#next();
    return waiting.completion.promise;
  }

  #add(lane: string): PendingEnqueue {
    const waiting = { dueAt: Number.POSITIVE_INFINITY, completion: Promise.withResolvers<void>() };
    this.#waiting.set(lane, waiting);
    this.#order.push(lane);
    return waiting;
  }

  #next(): void {
    while (this.#inFlight < MAX_IN_FLIGHT) {
      const lane = this.#order.shift();
      const waiting = lane === undefined ? undefined : this.#waiting.get(lane);
      if (lane === undefined || waiting === undefined) return;
      this.#waiting.delete(lane);
      void this.#enqueueNow(lane, waiting);
    }
  }

  async #enqueueNow(lane: string, { dueAt, completion }: PendingEnqueue): Promise<void> {
    this.#inFlight += 1;
    try {
      await this.#enqueue(lane, Math.max(0, dueAt - performance.now()));
      completion.resolve();
    } catch (error) {
      completion.reject(error);
      for (const waiting of this.#waiting.values()) waiting.completion.reject(error);
      this.#waiting.clear();
      this.#order.clear();
    }
    this.#inFlight -= 1;
    this.#next();
  }
}
