export interface SlotAllocatorOptions {
  /** The number of lanes worked on at once. */
  readonly slots: number;
  /** The most slots of one endpoint. */
  readonly perEndpoint: number;
  /** The most slots of an impaired endpoint, which fails or is slow. */
  readonly perImpairedEndpoint: number;
}

/** An endpoint and its slots. Only `SlotAllocator` changes them. */
export interface SlotHolder {
  readonly accountId: string;
  running: number;
  impaired: boolean;
}

/** For each of its slots an account leaves so many free. So one account alone has at most a quarter of all slots. */
const FREE_SLOTS_PER_ACCOUNT_SLOT = 3;
/** The free slots for each slot of an endpoint, within its account. */
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

  get isFull(): boolean {
    return this.#free <= 0;
  }

  /** Whether impaired endpoints get no more slots. */
  get isFullOfImpaired(): boolean {
    return this.#impaired >= this.#options.slots / 2;
  }

  /** Whether the account leaves enough slots free for another one of an endpoint that has none. */
  mayHaveMore(accountId: string): boolean {
    return FREE_SLOTS_PER_ACCOUNT_SLOT * this.#ofAccount(accountId) < this.#free;
  }

  canAcquire({ accountId, running, impaired }: SlotHolder): boolean {
    const { perEndpoint, perImpairedEndpoint } = this.#options;
    if (running >= (impaired ? perImpairedEndpoint : perEndpoint)) return false;
    if (impaired && this.isFullOfImpaired) return false;
    const weighed = this.#ofAccount(accountId) + ENDPOINT_SLOT_WEIGHT * running;
    return FREE_SLOTS_PER_ACCOUNT_SLOT * weighed < this.#free;
  }

  acquire(holder: SlotHolder): void {
    this.#change(holder, 1);
  }

  release(holder: SlotHolder): void {
    this.#change(holder, -1);
  }

  setImpaired(holder: SlotHolder, impaired: boolean): void {
    if (impaired === holder.impaired) return;
    this.#impaired += impaired ? holder.running : -holder.running;
    holder.impaired = impaired;
  }

  #change(holder: SlotHolder, by: number): void {
    const ofAccount = this.#ofAccount(holder.accountId) + by;
    if (ofAccount === 0) this.#accounts.delete(holder.accountId);
    else this.#accounts.set(holder.accountId, ofAccount);
    this.#running += by;
    if (holder.impaired) this.#impaired += by;
    holder.running += by;
  }

  get #free(): number {
    return this.#options.slots - this.#running;
  }

  #ofAccount(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }
}

/** With more starts at once each costs more, because its data has left the processor's caches when it goes on. */
const MAX_RECENT_STARTS = 64;
/** Real time. */
const WINDOW_MS = 10;

interface BurstSlot {
  readonly at: number;
}

/**
 * Limits the deliveries that started within the window and have not ended. Longer ones do not count, because they wait
 * for their receiver and keep no processor busy. So slow receivers take nothing from others.
 */
export class BurstLimiter {
  readonly #onCapacity: () => void;
  /** Oldest first. */
  readonly #recent = new Set<BurstSlot>();
  #timer: NodeJS.Timeout | undefined;

  /** @param onCapacity called when a start is possible again because time has passed. */
  constructor(onCapacity: () => void) {
    this.#onCapacity = onCapacity;
  }

  acquire(): BurstSlot {
    const start = { at: performance.now() };
    this.#recent.add(start);
    return start;
  }

  release(start: BurstSlot): void {
    this.#recent.delete(start);
  }

  /** Whether one more may start now. If not, `onCapacity` is called when the oldest start leaves the window. */
  hasCapacity(): boolean {
    if (this.#recent.size < MAX_RECENT_STARTS) return true;
    const at = performance.now();
    for (const start of this.#recent) {
      if (at - start.at < WINDOW_MS) break;
      this.#recent.delete(start);
    }
    const [oldest] = this.#recent;
    if (oldest === undefined || this.#recent.size < MAX_RECENT_STARTS) return true;
    this.#timer ??= setTimeout(
      () => {
        this.#timer = undefined;
        this.#onCapacity();
      },
      oldest.at + WINDOW_MS - at,
    ).unref();
    return false;
  }
}
