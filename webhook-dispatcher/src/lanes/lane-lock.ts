import type { LaneRecord, Lanes, StoredLane } from "@travel-booking/webhooks/deliveries";

/** Sees to it that a lane is in the hands of one process at a time. */
export interface LaneLock {
  /** The lane, in our hands now; undefined: somebody else has it, or it has changed. */
  acquire(stored: StoredLane): Promise<StoredLane | undefined>;
  /** Whether what was begun on the lane may still be recorded. */
  isHeldByUs(lane: LaneRecord): boolean;
  /** What stands in a lane we go on with. */
  readonly holder: string | null;
  /** Real time after which a lane that was not to be had is worth another look. */
  readonly retryAfterMs: number;
}

/** One process alone never works on a lane twice at once. */
export const SINGLE_PROCESS_LOCK: LaneLock = {
  acquire: async (stored) => stored,
  isHeldByUs: () => true,
  holder: null,
  retryAfterMs: 1_000,
};

/** Real time: well beyond what an attempt may take, with all that is written before and after. */
const LOCK_TIMEOUT_MS = 30_000;

export interface StoredLaneLockOptions {
  readonly lanes: Lanes;
  /** Who this process is: an id nobody else has ever had. */
  readonly holder: string;
  /** Milliseconds by a clock that never goes back; the machine's unless told. */
  readonly now?: () => number;
}

/**
 * Writes who works on a lane into it. Whoever finds another there waits: a lane that has not changed for longer than
 * an attempt can take was left by a process that is gone. Machines' clocks are never compared.
 */
export class StoredLaneLock implements LaneLock {
  readonly holder: string;
  readonly retryAfterMs = LOCK_TIMEOUT_MS;
  readonly #lanes: Lanes;
  readonly #now: () => number;
  readonly #observed = new Map<string, { readonly version: number; readonly since: number }>();

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
