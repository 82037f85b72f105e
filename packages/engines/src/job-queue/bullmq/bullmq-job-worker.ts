import { withTimeout } from "@travel-booking/runtime/real-time";
import { Worker } from "bullmq";
import { endClient, type RedisConnection } from "../../redis/index.ts";
import type { JobHandler, JobWorker } from "../index.ts";

/** The content of a job. */
export interface WakeUp {
  readonly lane: string;
}

interface BullMqJobWorkerOptions {
  readonly redis: RedisConnection;
  readonly name: string;
  readonly prefix: string;
  readonly handler: JobHandler;
  readonly lockMs: number;
}

/** Wake-ups handled at once. */
const CONCURRENCY = 64;
/** Real milliseconds for reporting to Redis that the last wake-ups were handled. */
const DRAIN_TIMEOUT_MS = 2_000;
const REFUSED_PAUSE_MS = 1_000;
/** Longer than any blocking command. */
const SOCKET_TIMEOUT_MS = 20_000;

/** Handles wake-ups in this process. It survives a Redis that is out of reach, emptied or replaced. */
export class BullMqJobWorker implements JobWorker {
  /** The clients of this worker: BullMQ makes a second one from the first. */
  readonly #clients: RedisConnection["client"][] = [];
  readonly #worker: Worker<WakeUp>;
  /** Running handlers. */
  readonly #handling = new Set<Promise<void>>();
  #pauseTimer: NodeJS.Timeout | undefined;
  #stopped: Promise<void> | undefined;

  constructor({ redis, name, prefix, handler, lockMs }: BullMqJobWorkerOptions) {
    const handle = async ({ data: { lane } }: { readonly data: WakeUp }) => {
      const handled = handler(lane).finally(() => this.#handling.delete(handled));
      this.#handling.add(handled);
      await handled;
    };
    this.#worker = new Worker<WakeUp>(name, handle, {
      connection: this.#connect(redis),
      prefix,
      concurrency: CONCURRENCY,
      lockDuration: lockMs,
      stalledInterval: lockMs / 2,
      // A wake-up is handled however often its workers have died.
      maxStalledCount: Number.MAX_SAFE_INTEGER,
      runRetryDelay: 1_000,
    });
    this.#worker.on("error", (error) => {
      redis.problems.report("the job queue", error);
      if (error.name === "ReplyError") this.#pauseBriefly();
    });
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Commands wait for a connection, and are repeated after it was lost. */
  #connect(redis: RedisConnection): RedisConnection["client"] {
    const waiting = { enableOfflineQueue: true, maxRetriesPerRequest: null, socketTimeout: SOCKET_TIMEOUT_MS };
    const track = (client: RedisConnection["client"]) => {
      client.on("error", () => undefined);
      this.#clients.push(client);
      return client;
    };
    const client = track(redis.client.duplicate(waiting));
    const duplicate = client.duplicate.bind(client);
    client.duplicate = (override) => track(duplicate(override));
    return client;
  }

  /** Pauses the worker, because BullMQ repeats refused commands at once, thousands of times a second. */
  #pauseBriefly(): void {
    if (this.#pauseTimer !== undefined || this.#stopped !== undefined) return;
    this.#pauseTimer = setTimeout(() => {
      this.#pauseTimer = undefined;
      this.#worker.resume();
    }, REFUSED_PAUSE_MS);
    this.#worker.pause(true);
  }

  /** BullMQ itself would wait without a limit to report the last wake-ups to Redis. */
  async #stop(): Promise<void> {
    clearTimeout(this.#pauseTimer);
    const closing = this.#worker.close();
    const closed = () => withTimeout(closing, DRAIN_TIMEOUT_MS, () => new Error("late")).catch(() => undefined);
    await Promise.all(this.#handling);
    await closed();
    await Promise.all(this.#clients.map(endClient));
    await closed();
  }
}
