import { type JobsOptions, Queue } from "bullmq";
import type { RedisConnection } from "../../redis/index.ts";
import { type JobHandler, type JobQueue, JobQueueUnavailable, type JobWorker } from "../index.ts";
import { BullMqJobWorker, type WakeUp } from "./bullmq-job-worker.ts";

const LOCK_MS = 30_000;

/**
 * A queue on Redis, shared by all processes that open this name there. Wake-ups are sent on the process's connection.
 * If it is lost, a wake-up being sent fails, and a later one waits a short time for a new connection. Workers have
 * connections of their own, which recover by themselves. A Redis that is emptied or lost takes the wake-ups with it.
 * @param lockMs real time for which a worker may be silent; by default 30,000. Others take its wake-ups within twice
 * that.
 */
export function openBullMqJobQueue(redis: RedisConnection, name: string, lockMs = LOCK_MS): JobQueue {
  return new BullMqJobQueue(redis, name, lockMs);
}

class BullMqJobQueue implements JobQueue {
  readonly #redis: RedisConnection;
  readonly #prefix: string;
  readonly #lockMs: number;
  readonly #queue: Queue<WakeUp>;
  readonly #workers: BullMqJobWorker[] = [];
  #isClosed = false;

  constructor(redis: RedisConnection, name: string, lockMs: number) {
    this.#redis = redis;
    this.#prefix = `${redis.keyPrefix}jobs`;
    this.#lockMs = lockMs;
    // BullMQ would check the server once, and after a failed check stay unusable for ever.
    const withoutChecks = { skipWaitingForReady: true, skipVersionCheck: true, skipMetasUpdate: true };
    this.#queue = new Queue(name, { connection: redis.client, prefix: this.#prefix, ...withoutChecks });
    // Callers get a rejection, so the event needs no handling.
    this.#queue.on("error", () => undefined);
  }

  async schedule(lane: string, delayMs = 0): Promise<void> {
    try {
      if (this.#isClosed) throw new Error("it is closed");
      await this.#redis.untilReconnected();
      await this.#queue.add("wake-up", { lane }, jobOptions(lane, delayMs));
    } catch (error) {
      throw new JobQueueUnavailable(this.#redis.problems.describe("the job queue", error).message);
    }
  }

  startWorker(handler: JobHandler): JobWorker {
    const { name } = this.#queue;
    const where = { redis: this.#redis, name, prefix: this.#prefix };
    const worker = new BullMqJobWorker({ ...where, handler, lockMs: this.#lockMs });
    this.#workers.push(worker);
    return worker;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#workers.map((worker) => worker.stop()));
    await this.#queue.close();
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
