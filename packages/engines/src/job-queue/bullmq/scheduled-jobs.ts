import type { JobsOptions, Queue } from "bullmq";
import { type RedisConnection, Script } from "../../redis/index.ts";
import type { QueueDepth } from "../index.ts";

/** The wake-ups of a queue: one job per lane, at the earliest time asked for. */
export class ScheduledJobs {
  readonly #queue: Queue<JobData>;
  readonly #dueTimes: DueTimes;

  constructor(queue: Queue<JobData>, dueTimes: DueTimes) {
    this.#queue = queue;
    this.#dueTimes = dueTimes;
  }

  /**
   * Two concurrent calls may interleave between the two steps: the one that finds an earlier time afterwards adds that,
   * too.
   */
  async add(lane: string, delayMs: number): Promise<void> {
    for (;;) {
      const { dueAt, delay } = await this.#dueTimes.scheduleEarliest(lane, delayMs);
      await this.#queue.add("wake-up", { lane }, jobOptions(lane, delay));
      if (delay === 0 || !(await this.#dueTimes.isEarlierThan(lane, dueAt))) return;
    }
  }

  /** A run begins: it covers all wake-ups so far. */
  async runStarted(lane: string): Promise<void> {
    await this.#dueTimes.delete(lane);
  }

  /** A run has succeeded: BullMQ would count the delay of the next wake-up from now on. */
  async runSucceeded(lane: string): Promise<void> {
    const left = await this.#dueTimes.remainingMs(lane);
    if (left !== undefined) await this.#queue.add("wake-up", { lane }, jobOptions(lane, left));
  }

  /** A run has failed: a wake-up during the pause may end it, and must not lengthen it. */
  async runFailed(lane: string, pauseMs: number): Promise<void> {
    await this.#dueTimes.scheduleEarliest(lane, pauseMs);
  }

  async depth(): Promise<QueueDepth> {
    const counts = await this.#queue.getJobCounts("wait", "delayed", "active");
    return { waiting: counts.wait ?? 0, delayed: counts.delayed ?? 0, active: counts.active ?? 0 };
  }
}

export interface JobData {
  readonly lane: string;
}

/**
 * Options of a wake-up.
 *
 * A job belongs to a lane by its deduplication id, not its job id: BullMQ drops a job that is added while one with its
 * id runs, whereas `keepLastIfActive` runs it afterwards. Job ids are random, as counted ids start again after Redis
 * was emptied, and would collide with those of running jobs.
 */
function jobOptions(lane: string, delay: number): JobsOptions {
  return {
    jobId: crypto.randomUUID(),
    delay,
    deduplication: { id: lane, keepLastIfActive: true, reschedule: true },
    attempts: Number.MAX_SAFE_INTEGER,
    backoff: { type: "custom" },
    removeOnComplete: true,
    removeOnFail: true,
    stackTraceLimit: 0,
  };
}

const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]))
`;

/** Returns [the earliest time, milliseconds until then]. KEYS: the set. ARGV: lane, delay in milliseconds. */
const scheduleEarliestScript = new Script(`${NOW}
local dueAt = now + ARGV[2]
if known and known <= dueAt then
  dueAt = known
else
  redis.call('ZADD', KEYS[1], dueAt, ARGV[1])
end
return {dueAt, math.max(0, dueAt - now)}
`);

/** Returns the milliseconds until the earliest time, or nil. KEYS: the set. ARGV: lane. */
const remainingScript = new Script(`${NOW}
return known and math.max(0, known - now)
`);

type Client = RedisConnection["client"];

/**
 * The earliest time asked for since the last run of each lane began; milliseconds of the server's clock. BullMQ itself
 * keeps the latest of several delays.
 */
export class DueTimes {
  readonly #client: Client;
  readonly #key: string;

  constructor(client: Client, key: string) {
    this.#client = client;
    this.#key = key;
  }

  /** Returns the earliest time, and the milliseconds until then. */
  async scheduleEarliest(lane: string, delayMs: number): Promise<{ readonly dueAt: number; readonly delay: number }> {
    const answer = await scheduleEarliestScript.run(this.#client, [this.#key], [lane, Math.max(0, Math.ceil(delayMs))]);
    const [dueAt, delay] = answer as [number, number];
    return { dueAt, delay };
  }

  /** Whether an earlier time was asked for meanwhile. */
  async isEarlierThan(lane: string, dueAt: number): Promise<boolean> {
    const known = await this.#client.zscore(this.#key, lane);
    return known !== null && Number(known) < dueAt;
  }

  /** Milliseconds until the earliest time; undefined if there is none. */
  async remainingMs(lane: string): Promise<number | undefined> {
    const answer = await remainingScript.run(this.#client, [this.#key], [lane]);
    return typeof answer === "number" ? answer : undefined;
  }

  async delete(lane: string): Promise<void> {
    await this.#client.zrem(this.#key, lane);
  }
}
