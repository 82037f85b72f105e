import { withTimeout } from "@travel-booking/runtime/real-time";
import { Worker } from "bullmq";
import { LRUCache } from "lru-cache";
import { type RedisConnection, redisUnavailable } from "../../redis/index.ts";
import type { JobHandler, JobWorker } from "../index.ts";
import { WorkerClients } from "./clients.ts";

/** What a job carries. */
export interface WakeUp {
  readonly lane: string;
}

interface BullMqJobWorkerOptions {
  readonly redis: RedisConnection;
  readonly name: string;
  readonly prefix: string;
  readonly handler: JobHandler;
  readonly onProblem: (error: unknown) => void;
  readonly lockMs: number;
}

/** Wake-ups handled at once. */
const CONCURRENCY = 64;
/** Real milliseconds for telling Redis that the last wake-ups were handled. */
const DRAIN_TIMEOUT_MS = 2_000;
const REFUSED_PAUSE_MS = 1_000;

/** Takes wake-ups in this process. It survives a Redis that is out of reach, emptied or replaced. */
export class BullMqJobWorker implements JobWorker {
  readonly #clients: WorkerClients;
  readonly #worker: Worker<WakeUp>;
  /** Handlers that run. */
  readonly #handling = new Set<Promise<void>>();
  #pauseTimer: NodeJS.Timeout | undefined;
  #stopped: Promise<void> | undefined;

  constructor({ redis, name, prefix, handler, onProblem, lockMs }: BullMqJobWorkerOptions) {
    this.#clients = new WorkerClients(redis);
    const handle = async ({ data: { lane } }: { readonly data: WakeUp }) => {
      const handled = handler(lane).finally(() => this.#handling.delete(handled));
      this.#handling.add(handled);
      await handled;
    };
    this.#worker = new Worker<WakeUp>(name, handle, {
      connection: this.#clients.base,
      prefix,
      concurrency: CONCURRENCY,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A wake-up whose workers have died is handled all the same.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1_000,
    });
    const password = redis.client.options.password ?? undefined;
    const report = throttleErrors(onProblem);
    this.#worker.on("error", (error) => {
      report(redisUnavailable("the job queue", error, password));
      if (error.name === "ReplyError") this.#pauseBriefly();
    });
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
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

  /** BullMQ waits without a limit to tell Redis about the last wake-ups. */
  async #stop(): Promise<void> {
    clearTimeout(this.#pauseTimer);
    const closing = this.#worker.close();
    const closed = () => withTimeout(closing, DRAIN_TIMEOUT_MS, () => new Error("late")).catch(() => undefined);
    await Promise.all(this.#handling);
    await closed();
    await this.#clients.closeAll();
    await closed();
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
