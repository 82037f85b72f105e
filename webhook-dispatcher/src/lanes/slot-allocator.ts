export interface SlotAllocatorOptions {
  /** Lanes worked on at once. */
  readonly slots: number;
  /** Of those, for one endpoint. */
  readonly perEndpoint: number;
  /** The same, for an endpoint that is impaired: one that does not take its deliveries, or is slow to answer. */
  readonly perImpairedEndpoint: number;
}

/** What one endpoint has of the slots. */
export interface SlotAllocation {
  readonly accountId: string;
  readonly running: number;
  readonly impaired: boolean;
}

/** For each slot it has, an account leaves so many free: one account alone never has more than a quarter of all. */
const FREE_SLOTS_PER_ACCOUNT_SLOT = 3;
/** The same within what an account may have, for its other endpoints. */
const ENDPOINT_SLOT_WEIGHT = 4;

/**
 * Says who may have one more of the slots there are.
 *
 * - What somebody may have shrinks with what is left. So nobody can take the last ones who has some already: an
 *   account with nothing under way finds room, whatever the others do, as long as they are fewer than the slots by far.
 * - Impaired endpoints have few slots each, and none is added to theirs while half of all are: theirs are the attempts
 *   that take long.
 *
 * That an endpoint is impaired may be known only when it has its slots: they count among those of the impaired from
 * then on.
 */
export class SlotAllocator {
  readonly #options: SlotAllocatorOptions;
  readonly #accounts = new Map<string, number>();
  #running = 0;
  #impaired = 0;

  constructor(options: SlotAllocatorOptions) {
    this.#options = options;
  }

  /** For an endpoint that has nothing under way. */
  newAllocation(accountId: string, impaired: boolean): SlotAllocation {
    return { accountId, running: 0, impaired };
  }

  /** Whether there is a slot for anybody at all. */
  get isFull(): boolean {
    return this.#running >= this.#options.slots;
  }

  canAcquire({ accountId, running, impaired }: SlotAllocation): boolean {
    const { slots, perEndpoint, perImpairedEndpoint } = this.#options;
    const free = slots - this.#running;
    if (FREE_SLOTS_PER_ACCOUNT_SLOT * (this.#ofAccount(accountId) + ENDPOINT_SLOT_WEIGHT * running) >= free)
      return false;
    return impaired ? running < perImpairedEndpoint && this.#impaired < slots / 2 : running < perEndpoint;
  }

  /** It has a slot more. The share that is given must not be used any more, here and in what follows. */
  acquire(share: SlotAllocation): SlotAllocation {
    return this.#change(share, 1);
  }

  release(share: SlotAllocation): SlotAllocation {
    return this.#change(share, -1);
  }

  /** It is impaired, or not any more. */
  setImpaired(share: SlotAllocation, impaired: boolean): SlotAllocation {
    if (impaired === share.impaired) return share;
    this.#impaired += impaired ? share.running : -share.running;
    return { ...share, impaired };
  }

  #change(share: SlotAllocation, by: number): SlotAllocation {
    const { accountId, running, impaired } = share;
    const ofAccount = this.#ofAccount(accountId) + by;
    if (ofAccount === 0) this.#accounts.delete(accountId);
    else this.#accounts.set(accountId, ofAccount);
    this.#running += by;
    if (impaired) this.#impaired += by;
    return { ...share, running: running + by };
  }

  #ofAccount(accountId: string): number {
    return this.#accounts.get(accountId) ?? 0;
  }
}
