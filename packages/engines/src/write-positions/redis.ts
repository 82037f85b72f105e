import { randomUUID } from "node:crypto";
import type { RedisConnection } from "../redis/index.ts";
import { SharedRead } from "../shared-read.ts";
import type { WritePositions } from "./index.ts";

/** Long after every read model has caught up. */
const TTL_MS = 7 * 86_400_000;

/** Real time after which another instance may raise the floor, if the first one has died. */
const CLAIM_TTL_MS = 10_000;
const POSITION = /^\d+$/;
/** Keys per SCAN. */
const KEYS_SCANNED = 1_000;

/**
 * Positions that all instances on one Redis share. Redis may lose its data at any time, so a lost position counts as
 * the head of the log. Keys contain the run id of the server. After a restart or a failover, a server may lack
 * acknowledged writes, and counts as empty.
 */
export class RedisWritePositions implements WritePositions {
  readonly #redis: RedisConnection;
  readonly #keyPrefix: string;
  readonly #head: SharedRead<bigint>;

  /** @param head returns the position of the log's last event, for when Redis is out of reach or has lost its data. */
  constructor(redis: RedisConnection, head: () => Promise<bigint>) {
    this.#redis = redis;
    this.#keyPrefix = `${redis.keyPrefix}written:`;
    this.#head = new SharedRead(head);
  }

  /** @throws RedisUnavailable */
  async record(credentialId: string, position: bigint): Promise<void> {
    await this.#redis.run((client, runId) =>
      client.eval(STORE_MAX, 1, this.#key(runId, credentialId), String(position), TTL_MS),
    );
  }

  /** Never lower than the recorded position; the head of the log while Redis is out of reach. Fails as `head` does. */
  async positionOf(credentialId: string): Promise<bigint> {
    const reading = this.#redis.run(async (client, runId) => {
      const floorKey = `${this.#keyPrefix}${runId}`;
      const [written, floor] = await client.mget(this.#key(runId, credentialId), floorKey);
      return { written, floor, floorKey };
    });
    const read = await reading.catch(() => undefined);
    if (read === undefined) return this.#head.read();
    const floor = await this.#floorOf(read.floor, read.floorKey);
    const written = BigInt(read.written ?? 0);
    return written > floor ? written : floor;
  }

  /** @throws RedisUnavailable */
  async forgetAll(): Promise<void> {
    const match = `${this.#keyPrefix}*`;
    for (let cursor = "0", isFirst = true; isFirst || cursor !== "0"; isFirst = false) {
      const [next, keys] = await this.#redis.run((client) =>
        client.scan(cursor, "MATCH", match, "COUNT", KEYS_SCANNED),
      );
      if (keys.length > 0) await this.#redis.run((client) => client.unlink(...keys));
      cursor = next;
    }
  }

  /**
   * The least position of all credentials without a record of their own. Redis lacks it after losing its data. Then the
   * head of the log becomes the floor, because every write whose position was lost is in the log.
   *
   * A claim is written before the head is read, and the head replaces it only if it is still there. Otherwise Redis
   * lost its data once more, and perhaps the position of a write after this head.
   */
  async #floorOf(kept: string | null | undefined, key: string): Promise<bigint> {
    if (kept && POSITION.test(kept)) return BigInt(kept);
    const claim = `raised by ${randomUUID()}`;
    const claimOnce = () => this.#redis.run((client) => client.set(key, claim, "PX", CLAIM_TTL_MS, "NX"));
    const isClaimed = !kept && (await claimOnce().catch(() => null)) === "OK";
    const head = await this.#head.read();
    if (isClaimed) {
      await this.#redis
        .run((client) => client.eval(COMPARE_AND_SET, 1, key, claim, String(head), TTL_MS))
        .catch(() => undefined);
    }
    return head;
  }

  #key(runId: string, credentialId: string): string {
    return `${this.#keyPrefix}${runId}:${credentialId}`;
  }
}

/**
 * Stores the higher of two positions. KEYS: the credential's. ARGV: the position, its TTL in milliseconds. Positions
 * are compared as decimal text, because Lua's numbers would lose their last digits.
 */
const STORE_MAX = `
local kept = redis.call('GET', KEYS[1])
if kept and (#kept > #ARGV[1] or (#kept == #ARGV[1] and kept >= ARGV[1])) then return end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
`;

/** KEYS: the key. ARGV: the expected value, the new one, its TTL in milliseconds. */
const COMPARE_AND_SET = `
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
`;
