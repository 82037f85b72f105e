import { randomUUID } from "node:crypto";
import type { Circuit } from "../../redis/index.ts";
import { replaceIf } from "./scripts.ts";
import type { SharedHead } from "./shared-head.ts";

/** Real time: whoever began to raise a floor and died keeps the others from it for so long. */
const RAISED_WITHIN_MS = 10_000;
const POSITION = /^\d+$/;

/**
 * A position that stands for everything this Redis has ever lost. It is not there when Redis has been emptied, or is
 * another one: then the head of the log becomes the floor, as every write whose position was lost is in the log.
 *
 * A mark is left before the head is asked for, and replaced by it only if it is still there: otherwise Redis was emptied
 * once more, and may have lost a write that is later than this head.
 */
export class Floor {
  readonly #circuit: Circuit;
  readonly #head: SharedHead;
  readonly #keptMs: number;

  constructor(circuit: Circuit, head: SharedHead, keptMs: number) {
    this.#circuit = circuit;
    this.#head = head;
    this.#keptMs = keptMs;
  }

  /** What was read under the floor's key as a position, or the head, which is then kept there. */
  async from(kept: string | null | undefined, key: string): Promise<bigint> {
    if (kept && POSITION.test(kept)) return BigInt(kept);
    const mark = `raised by ${randomUUID()}`;
    const isMarked = !kept && (await this.#mark(key, mark));
    const head = await this.#head.ask();
    if (isMarked) {
      const raise = [mark, String(head), this.#keptMs];
      await this.#circuit.run((client) => replaceIf.run(client, [key], raise)).catch(() => undefined);
    }
    return head;
  }

  async #mark(key: string, mark: string): Promise<boolean> {
    try {
      return (await this.#circuit.run((client) => client.set(key, mark, "PX", RAISED_WITHIN_MS, "NX"))) === "OK";
    } catch {
      return false;
    }
  }
}
