import { randomUUID } from "node:crypto";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import { type BullMqJobQueueOptions, openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { openRedis, type RedisConnection } from "@travel-booking/engines/redis";

/** A queue of a test on BullMQ, and what it was opened with. */
export interface TestQueue {
  readonly queue: JobQueue;
  readonly redis: RedisConnection;
  readonly name: string;
  readonly problems: unknown[];
}

/** Opens queues, and closes all of them in the end. */
export class TestQueues {
  readonly #opened: TestQueue[] = [];

  open(
    url: string,
    { name = `test-${randomUUID()}`, ...options }: BullMqJobQueueOptions & { name?: string } = {},
  ): TestQueue {
    const redis = openRedis(url);
    const problems: unknown[] = [];
    const queue = openBullMqJobQueue(redis, name, { onProblem: (problem) => problems.push(problem), ...options });
    const opened = { queue, redis, name, problems };
    this.#opened.push(opened);
    return opened;
  }

  async close(): Promise<void> {
    for (const { queue, redis } of this.#opened.splice(0)) {
      await queue.close();
      await redis.close();
    }
  }
}

/** Repeats a wake-up until it is kept. */
export async function scheduleWithRetry(queue: JobQueue, lane: string): Promise<void> {
  for (;;) {
    try {
      return await queue.schedule(lane);
    } catch {}
  }
}
