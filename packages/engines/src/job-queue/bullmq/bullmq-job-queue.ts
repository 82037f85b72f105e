import { type JobsOptions, Queue } from "bullmq";
import { endClient, type RedisConnection, redisUnavailable } from "../../redis/index.ts";
import { type JobHandler, type JobQueue, JobQueueUnavailable, type JobWorker } from "../index.ts";
import { BullMqJobWorker, type WakeUp } from "./bullmq-job-worker.ts";
import { type Client, queueClient } from "./clients.ts";

export interface BullMqJobQueueOptions {
  /** Redis is out of reach. */
  readonly onProblem?: (error: unknown) => void;
  /**
   * Milliseconds of real time a worker may be silent before others take its wake-ups, within up to twice that; by default
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
  readonly #options: BullMqJobQueueOptions;
  readonly #client: Client;
  readonly #queue: Queue<WakeUp>;
  readonly #workers: BullMqJobWorker[] = [];
  #closed: Promise<void> | undefined;

  constructor(redis: RedisConnection, name: string, options: BullMqJobQueueOptions) {
    this.#redis = redis;
    this.#name = name;
    this.#prefix = `${redis.keyPrefix}jobs`;
    this.#options = options;
    this.#client = queueClient(redis);
    // BullMQ would check the server once, and be unusable for ever if that failed.
    const withoutChecks = { skipWaitingForReady: true, skipVersionCheck: true, skipMetasUpdate: true };
    this.#queue = new Queue(name, { connection: this.#client, prefix: this.#prefix, ...withoutChecks });
    // Callers get a rejection.
    this.#queue.on("error", () => undefined);
  }

  async schedule(lane: string, delayMs = 0): Promise<void> {
    try {
      if (this.#closed !== undefined) throw new Error("it is closed");
      await this.#queue.add("wake-up", { lane }, jobOptions(lane, delayMs));
    } catch (error) {
      const { message } = redisUnavailable("the job queue", error, this.#client.options.password ?? undefined);
      throw new JobQueueUnavailable(message);
    }
  }

  startWorker(handler: JobHandler): JobWorker {
    const { onProblem = () => undefined, lockMs = LOCK_MS } = this.#options;
    const where = { redis: this.#redis, name: this.#name, prefix: this.#prefix };
    const worker = new BullMqJobWorker({ ...where, handler, onProblem, lockMs });
    this.#workers.push(worker);
    return worker;
  }

  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.#queue.close();
    await endClient(this.#client);
  }
}

/** A wake-up that comes sooner is a job of its own: a job that is just being handled would swallow it. */
const MERGED_FROM_MS = 1_000;

/** The wake-ups of a lane for the same second are one job: the sweep repeats those that wait for their time. */
function jobOptions(lane: string, delayMs: number): JobsOptions {
  const delay = Math.max(0, Math.ceil(delayMs));
  const second = Math.round((Date.now() + delay) / 1_000);
  // BullMQ takes no colon in an id. Counted ids would start again after Redis was emptied.
  const jobId = delay < MERGED_FROM_MS ? crypto.randomUUID() : `${encodeURIComponent(lane)}@${second}`;
  return { jobId, delay, removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 };
}
