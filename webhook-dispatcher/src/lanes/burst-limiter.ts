/** Lanes at once: of more, each costs more, since what one needs is out of the processor's caches when it goes on. */
const MAX_RECENT_STARTS = 320;
/** Real time. */
const WINDOW_MS = 50;

export interface BurstOptions {
  readonly maxRecentStarts?: number;
  readonly windowMs?: number;
  /** Milliseconds of real time; this process's unless told. */
  readonly now?: () => number;
}

export interface BurstLimiterOptions extends BurstOptions {
  /** There is room again. */
  readonly onCapacity: () => void;
}

interface BurstSlot {
  readonly at: number;
}

/**
 * What was begun a moment ago and has not ended: only so much at a time. Whatever takes longer waits for somebody else,
 * keeps no processor busy and does not count any more, so that slow receivers take nothing from others.
 */
export class BurstLimiter {
  readonly #options: Required<BurstLimiterOptions>;
  /** The oldest is the first. */
  readonly #recent = new Set<BurstSlot>();
  #timer: NodeJS.Timeout | undefined;

  constructor({
    onCapacity,
    maxRecentStarts = MAX_RECENT_STARTS,
    windowMs = WINDOW_MS,
    now = () => performance.now(),
  }: BurstLimiterOptions) {
    this.#options = { onCapacity, maxRecentStarts, windowMs, now };
  }

  acquire(): BurstSlot {
    const beginning = { at: this.#options.now() };
    this.#recent.add(beginning);
    return beginning;
  }

  release(beginning: BurstSlot): void {
    this.#recent.delete(beginning);
  }

  /** Whether one more may be begun now. Where not, `room` is called when it may by the passing of time. */
  hasCapacity(): boolean {
    const { maxRecentStarts, windowMs, now, onCapacity } = this.#options;
    if (this.#recent.size < maxRecentStarts) return true;
    const at = now();
    for (const beginning of this.#recent) {
      if (at - beginning.at < windowMs) break;
      this.#recent.delete(beginning);
    }
    const [oldest] = this.#recent;
    if (oldest === undefined || this.#recent.size < maxRecentStarts) return true;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        onCapacity();
      },
      oldest.at + windowMs - at,
    ).unref();
    return false;
  }
}
