import { VersionWatch } from "@travel-booking/engines/leases/record";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import type { LaneRecord, Lanes, StoredLane } from "@travel-booking/webhooks/deliveries";
import { LRUCache } from "lru-cache";

/** Real time, far longer than an attempt with its reads and writes. */
export const LOCK_TIMEOUT_MS = 30_000;
/** Lanes seen with other holders. A process holds at most as many lanes as it has slots. */
const MAX_OBSERVED = 10_000;

/**
 * Lets one process at a time work on a lane: writes the holder into it. If a lane of another holder has not changed for
 * longer than an attempt can take, its process is dead. Then the lane may be taken. Clocks of different machines are
 * never compared. A single process never works on a lane twice at once, and writes nothing.
 */
export class LaneLock {
  /** The name of this process in the lanes it holds: an id that is never reused; null: there is only one process. */
  readonly holder: string | null;
  readonly #lanes: Lanes;
  readonly #time: Pick<RealTime, "now">;
  readonly #observed = new LRUCache<string, VersionWatch>({ max: MAX_OBSERVED });

  constructor(lanes: Lanes, holder: string | null, time: Pick<RealTime, "now"> = realTime) {
    this.#lanes = lanes;
    this.holder = holder;
    this.#time = time;
  }

  /** The locked lane; undefined if another process holds it, or it has changed. */
  async acquire(stored: StoredLane): Promise<StoredLane | undefined> {
    const { key, lane } = stored;
    if (this.holder === null) return stored;
    if (lane.holder !== null && lane.holder !== this.holder && !this.#isExpired(stored)) return undefined;
    this.#observed.delete(key);
    return this.#lanes.replace(stored, { ...lane, holder: this.holder });
  }

  /** Whether an attempt on the lane may still be recorded. */
  isHeldByUs({ holder }: LaneRecord): boolean {
    return this.holder === null || holder === this.holder;
  }

  #isExpired({ key, version }: StoredLane): boolean {
    const watch = this.#observed.get(key) ?? new VersionWatch(this.#time);
    this.#observed.set(key, watch);
    return watch.unchangedForMs(version) >= LOCK_TIMEOUT_MS;
  }
}
