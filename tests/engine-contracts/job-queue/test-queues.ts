import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { JobQueue } from "@travel-booking/engines/job-queue";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { openRedis, type RedisConnection } from "@travel-booking/engines/redis";
import { waitUntilConnected } from "../redis/wait-until-connected.ts";

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

  open(url: string, { name = `test-${randomUUID()}`, lockMs }: { name?: string; lockMs?: number } = {}): TestQueue {
    const problems: unknown[] = [];
    const redis = openRedis(url, { onProblem: (problem) => problems.push(problem) });
    const queue = openBullMqJobQueue(redis, name, lockMs);
    const opened = { queue, redis, name, problems };
    this.#opened.push(opened);
    return opened;
  }

  /** As `open`, of a Redis that is there. */
  async openConnected(...parameters: Parameters<TestQueues["open"]>): Promise<TestQueue> {
    const opened = this.open(...parameters);
    await waitUntilConnected(opened.redis);
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
    } catch {
      await setTimeout(5);
    }
  }
}
