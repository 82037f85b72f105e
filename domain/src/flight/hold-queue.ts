import type { Instant } from "../shared/decision.ts";
import type { ActiveHold } from "./party.ts";

const SLACK = 64;

/**
 * Active holds by expiry. All holds have the same duration, and time never goes back in a stream. So the order of
 * creation is the order of expiry, except for a hold that is given back. The queue still contains some holds that ended
 * early. If such a hold was given back, `active` has another object for it.
 */
export class HoldQueue {
  readonly active: Map<string, ActiveHold>;
  #waiting: ActiveHold[];
  #head = 0;

  constructor(active: Map<string, ActiveHold> = new Map()) {
    this.active = active;
    this.#waiting = [...active.values()].sort((one, other) => one.expiresAt - other.expiresAt);
  }

  add(hold: ActiveHold): void {
    this.active.set(hold.holdId, hold);
    let place = this.#waiting.length;
    while (place > this.#head && (this.#waiting[place - 1]?.expiresAt ?? 0) > hold.expiresAt) place -= 1;
    if (place === this.#waiting.length) this.#waiting.push(hold);
    else this.#waiting.splice(place, 0, hold);
  }

  /** Amortised constant time: a sweep removes dead entries once they are the majority. */
  remove({ holdId }: ActiveHold): void {
    this.active.delete(holdId);
    for (; this.#head < this.#waiting.length; this.#head += 1) {
      const next = this.#waiting[this.#head];
      if (next !== undefined && this.#isActive(next)) break;
    }
    if (this.#waiting.length > 2 * this.active.size + SLACK) {
      this.#waiting = this.#waiting.slice(this.#head).filter((hold) => this.#isActive(hold));
      this.#head = 0;
    }
  }

  #isActive(waiting: ActiveHold): boolean {
    return this.active.get(waiting.holdId) === waiting;
  }

  /**
   * Holds that have lapsed by that moment and whose end is not recorded, at most the first `most`. The cost is
   * proportional to their number.
   */
  expired(at: Instant, most = Number.POSITIVE_INFINITY): readonly ActiveHold[] {
    const holds: ActiveHold[] = [];
    for (let index = this.#head; index < this.#waiting.length && holds.length < most; index += 1) {
      const hold = this.#waiting[index];
      if (hold === undefined || hold.expiresAt > at) break;
      if (this.#isActive(hold)) holds.push(hold);
    }
    return holds;
  }
}
