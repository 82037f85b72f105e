import { within } from "@travel-booking/runtime/real-time";
import { Queue } from "bullmq";
import { endClient, type RedisConnection, unavailable } from "../../redis/index.ts";
import { JobQueueUnavailable } from "../job-queue-unavailable.ts";
import { DEFAULT_PAUSES, type Pauses } from "../pauses.ts";
import type { JobQueue, LaneHandler, LaneWorker, LaneWorkerOptions, QueueDepth } from "../port.ts";
import { BullLaneWorker } from "./bull-lane-worker.ts";
import { ANSWER_WITHIN_MS, type Client, queueClient } from "./clients.ts";
import type { LaneJob } from "./options.ts";
import { Sender } from "./sender.ts";
import { Soonest } from "./soonest.ts";
import { WakeUps } from "./wake-ups.ts";

export interface BullJobQueueOptions {
  /** A handler failed, or Redis is away; both are tried again. */
  readonly onProblem?: (error: unknown) => void;
  readonly pauses?: Pauses;
  /** Milliseconds of real time a worker may be silent before others take its lanes over, in up to twice that. */
  readonly lockMs?: number;
}

const LOCK_MS = 30_000;

/**
 * A queue on Redis, shared by all processes that open one of this name there. It has connections of its own, which work
 * again by themselves whatever becomes of that Redis; a Redis that is emptied or lost takes the wake-ups with it.
 */
export function openBullJobQueue(redis: RedisConnection, name: string, options: BullJobQueueOptions = {}): JobQueue {
  return new BullJobQueue(redis, name, options);
}

class BullJobQueue implements JobQueue {
  readonly #redis: RedisConnection;
  readonly #name: string;
  readonly #prefix: string;
  readonly #client: Client;
  readonly #queue: Queue<LaneJob>;
  readonly #wakeUps: WakeUps;
  readonly #sender = new Sender((lane, delayMs) => this.#ask(() => this.#wakeUps.add(lane, delayMs)));
  readonly #workers = new Set<LaneWorker>();
  readonly #onProblem: (error: unknown) => void;
  readonly #options: BullJobQueueOptions;
  #closed: Promise<void> | undefined;

  constructor(redis: RedisConnection, name: string, options: BullJobQueueOptions) {
    this.#redis = redis;
    this.#name = name;
    this.#options = options;
    this.#onProblem = options.onProblem ?? (() => undefined);
    this.#prefix = `${redis.keyPrefix}jobs`;
    this.#client = queueClient(redis);
    // It would look at the server once, when it is made, and be of no use for ever if the server was away then.
    const looksAtNothing = { skipWaitingForReady: true, skipVersionCheck: true, skipMetasUpdate: true };
    this.#queue = new Queue(name, { connection: this.#client, prefix: this.#prefix, ...looksAtNothing });
    // Whoever asks is told by a rejection.
    this.#queue.on("error", () => undefined);
    this.#wakeUps = new WakeUps(this.#queue, new Soonest(this.#client, `${redis.keyPrefix}wake-ups:${name}`));
  }

  wake(lane: string, delayMs = 0): Promise<void> {
    return this.#sender.send(lane, delayMs);
  }

  work(handler: LaneHandler, { concurrency }: LaneWorkerOptions): LaneWorker {
    const { pauses = DEFAULT_PAUSES, lockMs = LOCK_MS } = this.#options;
    const shared = { redis: this.#redis, name: this.#name, prefix: this.#prefix, wakeUps: this.#wakeUps };
    const worker = new BullLaneWorker({ ...shared, handler, concurrency, pauses, lockMs, onProblem: this.#onProblem });
    this.#workers.add(worker);
    return {
      stop: async () => {
        await worker.stop();
        this.#workers.delete(worker);
      },
    };
  }

  depth(): Promise<QueueDepth> {
    return this.#ask(() => this.#wakeUps.depth());
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

  async #ask<T>(what: () => Promise<T>): Promise<T> {
    try {
      if (this.#closed !== undefined) throw new Error("it is closed");
      return await within(what(), ANSWER_WITHIN_MS, () => new Error(`no answer within ${ANSWER_WITHIN_MS} ms`));
    } catch (error) {
      const { message } = unavailable("the job queue", error, this.#client.options.password ?? undefined);
      throw new JobQueueUnavailable(message);
    }
  }
}
