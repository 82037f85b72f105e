import { type RedisConnection, Script } from "../../redis/index.ts";

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
