import type { LaneRecord, Lanes, StoredLane } from "@travel-booking/webhooks/deliveries";

/** Sees to it that a lane is in the hands of one process at a time. */
export interface LaneGuard {
  /** The lane, in our hands now; undefined: somebody else has it, or it has changed. */
  take(stored: StoredLane): Promise<StoredLane | undefined>;
  /** Whether what was begun on the lane may still be recorded. */
  isOurs(lane: LaneRecord): boolean;
  /** What stands in a lane we go on with. */
  readonly holder: string | null;
  /** Real time after which a lane that was not to be had is worth another look. */
  readonly lookAgainMs: number;
}

/** One process alone never works on a lane twice at once. */
export const ALONE: LaneGuard = {
  take: async (stored) => stored,
  isOurs: () => true,
  holder: null,
  lookAgainMs: 1_000,
};

/** Real time: well beyond what an attempt may take, with all that is written before and after. */
const HELD_FOR_MS = 30_000;

export interface HeldLanesOptions {
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
export class HeldLanes implements LaneGuard {
  readonly holder: string;
  readonly lookAgainMs = HELD_FOR_MS;
  readonly #lanes: Lanes;
  readonly #now: () => number;
  readonly #watched = new Map<string, { readonly version: number; readonly since: number }>();

  constructor({ lanes, holder, now = () => performance.now() }: HeldLanesOptions) {
    this.#lanes = lanes;
    this.holder = holder;
    this.#now = now;
  }

  async take(stored: StoredLane): Promise<StoredLane | undefined> {
    const { key, lane } = stored;
    if (lane.holder !== null && lane.holder !== this.holder && !this.#isLeft(stored)) return undefined;
    this.#watched.delete(key);
    return this.#lanes.replace(stored, { ...lane, holder: this.holder });
  }

  isOurs({ holder }: LaneRecord): boolean {
    return holder === this.holder;
  }

  #isLeft({ key, version }: StoredLane): boolean {
    const known = this.#watched.get(key);
    if (known?.version === version) return this.#now() - known.since >= HELD_FOR_MS;
    this.#watched.set(key, { version, since: this.#now() });
    return false;
  }
}
