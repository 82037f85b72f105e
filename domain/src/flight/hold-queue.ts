import type { Instant } from "../shared/decision.ts";
import type { ActiveHold } from "./party.ts";

const SLACK = 64;

/**
 * Active holds by expiry. All holds have the same duration and time never goes back in a stream, so the order of
 * creation is the order of expiry. The queue still contains some holds that ended early; `active` tells them apart.
 */
export class HoldQueue {
  readonly active: Map<string, ActiveHold>;
  #waiting: ActiveHold[];
  #head = 0;

  constructor(active: Map<string, ActiveHold> = new Map()) {
    this.active = active;
    this.#waiting = [...active.values()];
  }

  add(hold: ActiveHold): void {
    this.active.set(hold.holdId, hold);
    this.#waiting.push(hold);
  }

  /** Amortised constant time: a sweep removes dead entries once they are the majority. */
  remove({ holdId }: ActiveHold): void {
    this.active.delete(holdId);
    const isActive = (waiting: ActiveHold | undefined) => waiting !== undefined && this.active.has(waiting.holdId);
    while (this.#head < this.#waiting.length && !isActive(this.#waiting[this.#head])) this.#head += 1;
    if (this.#waiting.length > 2 * this.active.size + SLACK) {
      this.#waiting = this.#waiting.slice(this.#head).filter(isActive);
      this.#head = 0;
    }
  }

  /**
   * Holds that have lapsed by that moment and whose end is not recorded; at most the first `most` of them. The cost is
   * proportional to their number.
   */
  expired(at: Instant, most = Number.POSITIVE_INFINITY): readonly ActiveHold[] {
    const holds: ActiveHold[] = [];
    for (let index = this.#head; index < this.#waiting.length && holds.length < most; index += 1) {
      const hold = this.#waiting[index];
      if (hold === undefined || hold.expiresAt > at) break;
      if (this.active.has(hold.holdId)) holds.push(hold);
    }
    return holds;
  }
}
