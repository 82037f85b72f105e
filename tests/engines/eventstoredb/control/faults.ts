/** What is done to the next appends, instead of storing and answering them. */
export type AppendFault =
  /** Stored at once; the answer waits for `release`. */
  | "hold answer"
  /** Stored; never answered. */
  | "lose answer"
  /** Accepted; stored and answered after `release`. */
  | "hold write"
  /** Neither stored nor answered. */
  | "swallow"
  /** Stored, and answered without its position. */
  | "no position";

/** How a subscription is dropped: as a slow consumer, by the server's cancelling it, or ended without an error. */
export type Drop = "too slow" | "cancelled" | "ended";

/** The user or the password is wrong, or the user lacks the rights. */
export type Refusal = "unauthenticated" | "access denied";

/** A member of a cluster, as another one sees it. */
export interface SeenMember {
  /** Host and port. */
  readonly address: string;
  readonly role: "leader" | "follower" | "unknown";
  readonly isAlive: boolean;
}

/** What the double is told to do wrong. */
export class Faults {
  /** Subscriptions stay open and get nothing. */
  silent = false;
  /** Subscriptions that are live and do not keep up are dropped, as 23.10 does; 24.10 lets them catch up again. */
  dropsSlowConsumers = false;
  /** A member of a cluster that has no leader. */
  leaderless = false;
  /** Host and port of the node that leads instead of this one, or did before there was none. */
  leader: string | null = null;
  refusal: Refusal | null = null;
  /** What it says of its cluster when asked by gossip; null: what follows from the rest. */
  members: readonly SeenMember[] | null = null;
  /** Position of the last event that it has, as a follower that lags; null: it has all. */
  lastSeen: bigint | null = null;
  #notReadyUntil = 0;
  #append: AppendFault | undefined;
  #appends = 0;
  #released = Promise.withResolvers<void>();
  readonly #drops = new Set<(how: Drop) => void>();
  /** Appends that came in, whatever became of them. */
  seen = 0;
  /** Reads that came in, subscriptions included. */
  reads = 0;

  /** The next `count` appends; those before them are released. */
  onAppends(fault: AppendFault, count = Number.POSITIVE_INFINITY): void {
    this.release();
    this.#append = fault;
    this.#appends = count;
  }

  /** Lets go of what is held, and does nothing wrong to later appends. */
  release(): void {
    this.#append = undefined;
    this.#released.resolve();
    this.#released = Promise.withResolvers();
  }

  /** Nothing wrong any more. */
  reset(): void {
    this.release();
    this.silent = false;
    this.dropsSlowConsumers = false;
    this.leaderless = false;
    this.leader = null;
    this.refusal = null;
    this.members = null;
    this.lastSeen = null;
    this.#notReadyUntil = 0;
  }

  /** To be asked once for each append. */
  next(): AppendFault | undefined {
    this.seen++;
    if (this.#append === undefined || this.#appends <= 0) return undefined;
    this.#appends--;
    return this.#append;
  }

  get released(): Promise<void> {
    return this.#released.promise;
  }

  /** "Server Is Not Ready" for so long. */
  notReady(ms: number): void {
    this.#notReadyUntil = performance.now() + ms;
  }

  get isReady(): boolean {
    return performance.now() >= this.#notReadyUntil;
  }

  get subscriptions(): number {
    return this.#drops.size;
  }

  /** Takes part in drops until the answer is called. */
  subscribed(drop: (how: Drop) => void): () => void {
    this.#drops.add(drop);
    return () => void this.#drops.delete(drop);
  }

  dropSubscriptions(how: Drop): number {
    const dropped = [...this.#drops];
    for (const drop of dropped) drop(how);
    return dropped.length;
  }
}
