import type { LaneRecord, Lanes, StoredLane } from "@travel-booking/webhooks/deliveries";
import { LRUCache } from "lru-cache";

/** Lets one process at a time work on a lane. */
export interface LaneLock {
  /** The locked lane; undefined if another process holds it, or it has changed. */
  acquire(stored: StoredLane): Promise<StoredLane | undefined>;
  /** Whether an attempt on the lane may still be recorded. */
  isHeldByUs(lane: LaneRecord): boolean;
  /** The name of this process in the lanes it holds. */
  readonly holder: string | null;
  /** Real time after which to try again. */
  readonly retryAfterMs: number;
}

/** For a single process, which never works on a lane twice at once. */
export const SINGLE_PROCESS_LOCK: LaneLock = {
  acquire: async (stored) => stored,
  isHeldByUs: () => true,
  holder: null,
  retryAfterMs: 1_000,
};

/** Real time: far longer than an attempt with its reads and writes. */
const LOCK_TIMEOUT_MS = 30_000;
/** Lanes seen in the hands of others; a process holds no more than it has slots. */
const MAX_OBSERVED = 10_000;

interface StoredLaneLockOptions {
  readonly lanes: Lanes;
  /** Identifies this process: an id that is never reused. */
  readonly holder: string;
  /** Milliseconds of a monotonic clock; `performance.now` by default. */
  readonly now?: () => number;
}

/**
 * Writes the holder into the lane. A lane of another holder that has not changed for longer than an attempt can take was
 * left by a dead process and may be taken. Clocks of different machines are never compared.
 */
export class StoredLaneLock implements LaneLock {
  readonly holder: string;
  readonly retryAfterMs = LOCK_TIMEOUT_MS;
  readonly #lanes: Lanes;
  readonly #now: () => number;
  readonly #observed = new LRUCache<string, { readonly version: number; readonly since: number }>({
    max: MAX_OBSERVED,
  });

  constructor({ lanes, holder, now = () => performance.now() }: StoredLaneLockOptions) {
    this.#lanes = lanes;
    this.holder = holder;
    this.#now = now;
  }

  async acquire(stored: StoredLane): Promise<StoredLane | undefined> {
    const { key, lane } = stored;
    if (lane.holder !== null && lane.holder !== this.holder && !this.#isExpired(stored)) return undefined;
    this.#observed.delete(key);
    return this.#lanes.replace(stored, { ...lane, holder: this.holder });
  }

  isHeldByUs({ holder }: LaneRecord): boolean {
    return holder === this.holder;
  }

  #isExpired({ key, version }: StoredLane): boolean {
    const known = this.#observed.get(key);
    if (known?.version === version) return this.#now() - known.since >= LOCK_TIMEOUT_MS;
    this.#observed.set(key, { version, since: this.#now() });
    return false;
  }
}
