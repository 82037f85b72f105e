import type { JobsOptions, Queue } from "bullmq";
import { type RedisConnection, Script } from "../../redis/index.ts";
import type { QueueDepth } from "../index.ts";

/** The wake-ups of a queue: one job for each lane that is to be worked, at the soonest time that was asked for. */
export class ScheduledJobs {
  readonly #queue: Queue<JobData>;
  readonly #dueTimes: DueTimes;

  constructor(queue: Queue<JobData>, soonest: DueTimes) {
    this.#queue = queue;
    this.#dueTimes = soonest;
  }

  /** Two at once may overtake each other between their two steps: whoever sees a sooner one afterwards adds that, too. */
  async add(lane: string, delayMs: number): Promise<void> {
    for (;;) {
      const { dueAt, delay } = await this.#dueTimes.scheduleEarliest(lane, delayMs);
      await this.#queue.add("wake-up", { lane }, jobOptions(lane, delay));
      if (delay === 0 || !(await this.#dueTimes.isEarlierThan(lane, dueAt))) return;
    }
  }

  /** A run begins: it is for all who asked so far. */
  async runStarted(lane: string): Promise<void> {
    await this.#dueTimes.delete(lane);
  }

  /** A run has ended well: the library would count the delay of the next, which waits for that, from now on. */
  async runSucceeded(lane: string): Promise<void> {
    const left = await this.#dueTimes.remainingMs(lane);
    if (left !== undefined) await this.#queue.add("wake-up", { lane }, jobOptions(lane, left));
  }

  /** A run has failed: what is asked for during the pause may end it, and must not lengthen it. */
  async runFailed(lane: string, pauseMs: number): Promise<void> {
    await this.#dueTimes.scheduleEarliest(lane, pauseMs);
  }

  async depth(): Promise<QueueDepth> {
    const counts = await this.#queue.getJobCounts("wait", "delayed", "active");
    return { waiting: counts.wait ?? 0, delayed: counts.delayed ?? 0, active: counts.active ?? 0 };
  }
}

/** What a job carries. */
export interface JobData {
  readonly lane: string;
}

/**
 * How a wake-up is put into the queue.
 *
 * One job stands for a lane, told by its deduplication id and not by the job's: a job that is added while one with its id
 * is being worked is dropped without a word, whereas `keepLastIfActive` keeps it to follow. A job of its own id each
 * time, as counted ids begin anew where Redis was emptied, and would meet those of jobs that are still being worked.
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

/** Answers [the soonest, milliseconds until then]. KEYS: the set. ARGV: lane, delay in milliseconds. */
const scheduleEarliestScript = new Script(`${NOW}
local dueAt = now + ARGV[2]
if known and known <= dueAt then
  dueAt = known
else
  redis.call('ZADD', KEYS[1], dueAt, ARGV[1])
end
return {dueAt, math.max(0, dueAt - now)}
`);

/** Answers the milliseconds until the soonest; nothing where nothing is asked for. KEYS: the set. ARGV: lane. */
const remainingScript = new Script(`${NOW}
return known and math.max(0, known - now)
`);

type Client = RedisConnection["client"];

/**
 * Of each lane, the soonest time that was asked for since its last run began; milliseconds of the server's clock. The
 * queue itself keeps of several delays the latest that was asked for.
 */
export class DueTimes {
  readonly #client: Client;
  readonly #key: string;

  constructor(client: Client, key: string) {
    this.#client = client;
    this.#key = key;
  }

  /** The soonest now, and how many milliseconds that is ahead. */
  async scheduleEarliest(lane: string, delayMs: number): Promise<{ readonly dueAt: number; readonly delay: number }> {
    const answer = await scheduleEarliestScript.run(this.#client, [this.#key], [lane, Math.max(0, Math.ceil(delayMs))]);
    const [dueAt, delay] = answer as [number, number];
    return { dueAt, delay };
  }

  /** Whether something sooner was asked for meanwhile. */
  async isEarlierThan(lane: string, dueAt: number): Promise<boolean> {
    const known = await this.#client.zscore(this.#key, lane);
    return known !== null && Number(known) < dueAt;
  }

  /** Milliseconds until the soonest; undefined where nothing is asked for. */
  async remainingMs(lane: string): Promise<number | undefined> {
    const answer = await remainingScript.run(this.#client, [this.#key], [lane]);
    return typeof answer === "number" ? answer : undefined;
  }

  async delete(lane: string): Promise<void> {
    await this.#client.zrem(this.#key, lane);
  }
}
