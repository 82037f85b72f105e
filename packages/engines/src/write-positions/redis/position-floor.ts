import { randomUUID } from "node:crypto";
import type { CircuitBreaker } from "../../redis/index.ts";
import type { CoalescedHead } from "./coalesced-head.ts";
import { compareAndSet } from "./scripts.ts";

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
export class PositionFloor {
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
