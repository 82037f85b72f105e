import { randomUUID } from "node:crypto";
import { CircuitBreaker, type RedisConnection, type RedisUnavailable, Script } from "../redis/index.ts";
import { WritePositionNotRecorded, type WritePositions } from "./index.ts";

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

/** Real time: whoever began to raise a floor and died keeps the others from it for so long. */
const CLAIM_TTL_MS = 10_000;
const POSITION = /^\d+$/;

/**
 * A position that stands for everything this Redis has ever lost. It is not there when Redis has been emptied, or is
 * another one: then the head of the log becomes the floor, as every write whose position was lost is in the log.
 *
 * A mark is left before the head is asked for, and replaced by it only if it is still there: otherwise Redis was emptied
 * once more, and may have lost a write that is later than this head.
 */
class PositionFloor {
  readonly #circuit: CircuitBreaker;
  readonly #head: CoalescedHead;
  readonly #ttlMs: number;

  constructor(circuit: CircuitBreaker, head: CoalescedHead, keptMs: number) {
    this.#circuit = circuit;
    this.#head = head;
    this.#ttlMs = keptMs;
  }

  /** What was read under the floor's key as a position, or the head, which is then kept there. */
  async resolve(kept: string | null | undefined, key: string): Promise<bigint> {
    if (kept && POSITION.test(kept)) return BigInt(kept);
    const mark = `raised by ${randomUUID()}`;
    const isMarked = !kept && (await this.#claim(key, mark));
    const head = await this.#head.read();
    if (isMarked) {
      const raise = [mark, String(head), this.#ttlMs];
      await this.#circuit.run((client) => compareAndSet.run(client, [key], raise)).catch(() => undefined);
    }
    return head;
  }

  async #claim(key: string, mark: string): Promise<boolean> {
    try {
      return (await this.#circuit.run((client) => client.set(key, mark, "PX", CLAIM_TTL_MS, "NX"))) === "OK";
    } catch {
      return false;
    }
  }
}

/** Asks for the head of the log. Callers share a call, but never one that began before they did. */
export class CoalescedHead {
  readonly #head: () => Promise<bigint>;
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<bigint> | undefined;

  constructor(head: () => Promise<bigint>) {
    this.#head = head;
  }

  read(): Promise<bigint> {
    this.#next ??= this.#readAfter(this.#running);
    return this.#next;
  }

  async #readAfter(running: Promise<unknown>): Promise<bigint> {
    await running;
    this.#next = undefined;
    const answer = this.#head();
    this.#running = answer.catch(() => undefined);
    return answer;
  }
}

/**
 * Keeps the higher of two positions. KEYS: the credential's. ARGV: the position, milliseconds to keep it.
 * They are compared as decimal text: as numbers of Lua they would lose their last digits.
 */
const storeMax = new Script(`
local kept = redis.call('GET', KEYS[1])
if kept and (#kept > #ARGV[1] or (#kept == #ARGV[1] and kept >= ARGV[1])) then return end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
`);

/** Writes over what is there only if it is what is expected. KEYS: the key. ARGV: expected, new, milliseconds to keep it. */
const compareAndSet = new Script(`
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3]) end
`);
