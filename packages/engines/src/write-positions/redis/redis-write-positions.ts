import { CircuitBreaker, type RedisConnection, type RedisUnavailable } from "../../redis/index.ts";
import type { WritePositions } from "../port.ts";
import { WritePositionNotRecorded } from "../write-position-not-recorded.ts";
import { CoalescedHead } from "./coalesced-head.ts";
import { PositionFloor } from "./position-floor.ts";
import { storeMax } from "./scripts.ts";

export interface RedisWritePositionsOptions {
  /** The position of the last event of the log. Asked where Redis is away or has lost what it was told. */
  readonly head: () => Promise<bigint>;
  /** Redis can't be asked; told once per outage. */
  readonly onProblem?: (problem: RedisUnavailable) => void;
  /** Milliseconds of real time Redis is waited for; 250 unless told. */
  readonly deadlineMs?: number;
}

/** Real time: neither a write nor a read waits longer for Redis. */
const DEFAULT_DEADLINE_MS = 250;
/** By then every read model has long shown it. */
const TTL_MS = 7 * 86_400_000;

/**
 * Shared by all instances on one Redis, which may be lost or emptied at any time: what it can't tell any more counts as
 * written at the end of the log. Keys carry the server's run id: one that was restarted, or took over from another, may
 * have come back with less than was acknowledged, and counts as empty.
 */
export class RedisWritePositions implements WritePositions {
  readonly #circuitBreaker: CircuitBreaker;
  readonly #keyPrefix: string;
  readonly #head: CoalescedHead;
  readonly #floor: PositionFloor;

  constructor(
    redis: RedisConnection,
    { head, onProblem, deadlineMs = DEFAULT_DEADLINE_MS }: RedisWritePositionsOptions,
  ) {
    this.#circuitBreaker = new CircuitBreaker({ redis, deadlineMs, onProblem });
    this.#keyPrefix = `${redis.keyPrefix}written:`;
    this.#head = new CoalescedHead(head);
    this.#floor = new PositionFloor(this.#circuitBreaker, this.#head, TTL_MS);
  }

  /** @throws WritePositionNotKept Redis can't be asked, or did not answer in time. */
  async record(credentialId: string, position: bigint): Promise<void> {
    const kept = [String(position), TTL_MS];
    try {
      await this.#circuitBreaker.run((client, runId) => storeMax.run(client, [this.#key(runId, credentialId)], kept));
    } catch (cause) {
      throw new WritePositionNotRecorded("the position of a write could not be recorded", { cause });
    }
  }

  /** Never lower than what was recorded. Where Redis can't be asked it is the head of the log; fails as `head` does. */
  async positionOf(credentialId: string): Promise<bigint> {
    const read = await this.#read(credentialId);
    if (read === undefined) return this.#head.read();
    const floor = await this.#floor.resolve(read.floor, read.floorKey);
    const written = BigInt(read.written ?? 0);
    return written > floor ? written : floor;
  }

  async #read(credentialId: string) {
    try {
      return await this.#circuitBreaker.run(async (client, runId) => {
        const floorKey = `${this.#keyPrefix}${runId}`;
        const [written, floor] = await client.mget(this.#key(runId, credentialId), floorKey);
        return { written, floor, floorKey };
      });
    } catch {
      return undefined;
    }
  }

  #key(runId: string, credentialId: string): string {
    return `${this.#keyPrefix}${runId}:${credentialId}`;
  }
}
