import { LinkedSet } from "./linked-set.ts";

export interface SlotAllocatorOptions {
  /** Lanes worked on at once. */
  readonly slots: number;
  /** At most so many of them for one endpoint. */
  readonly perEndpoint: number;
  /** The same for an impaired endpoint: one that fails or is slow. */
  readonly perImpairedEndpoint: number;
}

/** The slots of one endpoint. */
export interface SlotAllocation {
  readonly accountId: string;
  readonly running: number;
  readonly impaired: boolean;
}

/** For each of its slots an account leaves so many free: one account alone never has more than a quarter of all. */
const FREE_SLOTS_PER_ACCOUNT_SLOT = 3;
/** The same within an account, for its other endpoints. */
const ENDPOINT_SLOT_WEIGHT = 4;

/**
 * Allocates the slots for concurrent deliveries.
 *
 * - The limits of an account and an endpoint shrink with the free slots. So nobody who has slots can take the last
 *   ones: an account with nothing in flight finds a slot whatever others do, unless hundreds of accounts are busy.
 * - Impaired endpoints get few slots each, and no more while half of all slots are theirs: their attempts take long.
 *
 * An endpoint may become impaired while it has slots. They count as slots of impaired endpoints from then on.
 */
export class SlotAllocator {
  readonly #options: SlotAllocatorOptions;
  readonly #accounts = new Map<string, number>();
  #running = 0;
  #impaired = 0;

  constructor(options: SlotAllocatorOptions) {
    this.#options = options;
  }

  /** For an endpoint with nothing in flight. */
  newAllocation(accountId: string, impaired: boolean): SlotAllocation {
    return { accountId, running: 0, impaired };
  }

  get isFull(): boolean {
    return this.#running >= this.#options.slots;
  }

  get free(): number {
    return this.#options.slots - this.#running;
  }

  /** Whether impaired endpoints get no more slots. */
  get isFullOfImpaired(): boolean {
    return this.#impaired >= this.#options.slots / 2;
  }

  /** So many slots have to be free, and one more, before this endpoint gets one; infinite: it has all it may have. */
  needed({ accountId, running, impaired }: SlotAllocation): number {
    const { perEndpoint, perImpairedEndpoint } = this.#options;
    if (running >= (impaired ? perImpairedEndpoint : perEndpoint)) return Number.POSITIVE_INFINITY;
    return FREE_SLOTS_PER_ACCOUNT_SLOT * (this.#ofAccount(accountId) + ENDPOINT_SLOT_WEIGHT * running);
  }

  canAcquire(allocation: SlotAllocation): boolean {
    if (allocation.impaired && this.isFullOfImpaired) return false;
    return this.needed(allocation) < this.free;
  }

  /** This and the following methods return the new allocation; the given one must not be used any more. */
  acquire(allocation: SlotAllocation): SlotAllocation {
    return this.#change(allocation, 1);
  }

  release(allocation: SlotAllocation): SlotAllocation {
    return this.#change(allocation, -1);
  }

  setImpaired(allocation: SlotAllocation, impaired: boolean): SlotAllocation {
    if (impaired === allocation.impaired) return allocation;
    this.#impaired += impaired ? allocation.running : -allocation.running;
    return { ...allocation, impaired };
  }

  #change(allocation: SlotAllocation, by: number): SlotAllocation {
    const { accountId, running, impaired } = allocation;
    const ofAccount = this.#ofAccount(accountId) + by;
    if (ofAccount === 0) this.#accounts.delete(accountId);
    else this.#accounts.set(accountId, ofAccount);
    this.#running += by;
    if (impaired) this.#impaired += by;
    return { ...allocation, running: running + by };
  }

  #ofAccount(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }
}

/** With more at once each costs more, since its data has left the processor's caches when it goes on. */
const MAX_RECENT_STARTS = 64;
/** Real time. */
const WINDOW_MS = 10;

export interface BurstOptions {
  readonly maxRecentStarts?: number;
  readonly windowMs?: number;
  /** Milliseconds of real time; `performance.now` by default. */
  readonly now?: () => number;
}

interface BurstLimiterOptions extends BurstOptions {
  /** Called when a start is possible again by the passing of time. */
  readonly onCapacity: () => void;
}

interface BurstSlot {
  readonly at: number;
}

/**
 * Limits the deliveries that were started within the window and have not ended. Those that take longer wait for their
 * receiver, keep no processor busy and do not count, so slow receivers take nothing from others.
 */
export class BurstLimiter {
  readonly #options: Required<BurstLimiterOptions>;
  /** Oldest first. */
  readonly #recent = new LinkedSet<BurstSlot>();
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
    const start = { at: this.#options.now() };
    this.#recent.add(start);
    return start;
  }

  release(start: BurstSlot): void {
    this.#recent.delete(start);
  }

  /** Whether one more may start now. If not, `onCapacity` is called when the oldest start leaves the window. */
  hasCapacity(): boolean {
    const { maxRecentStarts, windowMs, now, onCapacity } = this.#options;
    if (this.#recent.size < maxRecentStarts) return true;
    const at = now();
    let oldest = this.#recent.first;
    for (; oldest !== undefined && at - oldest.at >= windowMs; oldest = this.#recent.first) this.#recent.delete(oldest);
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
