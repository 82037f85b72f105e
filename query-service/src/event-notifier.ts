import { setTimeout as sleep } from "node:timers/promises";
import type { ReadModels } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  EVENTS,
  eventSortKeyAfter,
  ownerOfKey,
  type ProjectionProgress,
  PUBLIC_PROJECTION_NAMES,
  visiblePosition,
} from "@travel-booking/read-models";

/** One request's eye on the events of its account. */
export class EventWatch {
  readonly #ended: () => void;
  #isNotified = false;
  #isClosed = false;
  #wake: () => void = () => undefined;

  constructor(ended: () => void) {
    this.#ended = ended;
  }

  /** Nothing is noticed any more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Resolves when an event became visible since the watch began, or since this was last asked; at the latest after so
   * many milliseconds of real time, when the signal aborts, or when the watch is closed.
   */
  next(timeoutMs: number, signal: AbortSignal): Promise<void> {
    if (this.#isNotified || this.#isClosed || signal.aborted) {
      this.#isNotified = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        signal.removeEventListener("abort", end);
        this.#wake = () => undefined;
        this.#isNotified = false;
        resolve();
      };
      const timer = setTimeout(end, timeoutMs);
      signal.addEventListener("abort", end, { once: true });
      this.#wake = end;
    });
  }

  /** An event of the account has become visible. */
  notify(): void {
    this.#isNotified = true;
    this.#wake();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake();
  }

  /** The request is done with it. */
  end(): void {
    this.#ended();
  }
}

/** Requests that may wait at once. They cost memory and little else. */
const MAX_WAITING = 5_000;
/** Real time: how long it goes on looking after the last one has left. */
const POLL_TIMEOUT_MS = 1_000;
/** Real time: after a look that found nothing, or failed. */
const PAUSE_MS = 10;
const NOTIFY_PAGE = 500;

export interface EventNotifierOptions {
  readonly models: Pick<ReadModels, "page">;
  readonly progress: ProjectionProgress;
  readonly maxWaiting?: number;
}

/**
 * Wakes requests that wait for an event of their account. However many wait, one loop follows the read models and reads
 * each new event once; without anybody waiting it rests.
 */
export class EventNotifier {
  readonly #models: Pick<ReadModels, "page">;
  readonly #progress: ProjectionProgress;
  readonly #maxWaiting: number;
  readonly #watches = new Map<string, Set<EventWatch>>();
  #waiting = 0;
  #isFollowing = false;
  #isStopped = false;
  /** Every event up to here has woken whoever waited for it. */
  #notifiedPosition = 0n;

  constructor({ models, progress, maxWaiting = MAX_WAITING }: EventNotifierOptions) {
    this.#models = models;
    this.#progress = progress;
    this.#maxWaiting = maxWaiting;
  }

  /** Requests that wait now. */
  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Watches the events of an account: whatever becomes visible after this call is noticed. To be begun before looking
   * what there is, and ended. Undefined where nobody else may wait.
   */
  watch(accountId: string): EventWatch | undefined {
    if (this.#isStopped || this.#waiting >= this.#maxWaiting) return undefined;
    const ofAccount = this.#watches.get(accountId) ?? new Set();
    this.#watches.set(accountId, ofAccount);
    const watch = new EventWatch(() => this.#end(accountId, watch));
    ofAccount.add(watch);
    this.#waiting += 1;
    if (!this.#isFollowing) {
      this.#isFollowing = true;
      this.#notifiedPosition = visiblePosition(this.#progress);
      void this.#poll();
    }
    return watch;
  }

  /** Everybody who waits is sent home; nobody waits any more. */
  stop(): void {
    this.#isStopped = true;
    for (const ofAccount of this.#watches.values()) for (const watch of ofAccount) watch.close();
  }

  #end(accountId: string, watch: EventWatch): void {
    const ofAccount = this.#watches.get(accountId);
    if (ofAccount?.delete(watch) !== true) return;
    this.#waiting -= 1;
    if (ofAccount.size === 0) this.#watches.delete(accountId);
  }

  async #poll(): Promise<void> {
    while (this.#waiting > 0 && !this.#isStopped) {
      const next = this.#notifiedPosition + 1n;
      await Promise.all(PUBLIC_PROJECTION_NAMES.map((name) => this.#progress.waitUntil(name, next, POLL_TIMEOUT_MS)));
      const visible = visiblePosition(this.#progress);
      if (visible >= next && (await this.#notifyUpTo(visible))) this.#notifiedPosition = visible;
      else await sleep(PAUSE_MS);
    }
    this.#isFollowing = false;
  }

  /** False where the read models could not be read: those who wait are woken to find that out for themselves. */
  async #notifyUpTo(visible: bigint): Promise<boolean> {
    try {
      for await (const accountId of this.#ownersOfNew(visible)) this.#notify(accountId);
      return true;
    } catch {
      for (const accountId of this.#watches.keys()) this.#notify(accountId);
      return false;
    }
  }

  async *#ownersOfNew(visible: bigint): AsyncGenerator<string> {
    const { model, all: index } = EVENTS.event;
    const range = {
      index,
      partition: ALL_PARTITION,
      order: "ascending",
      limit: NOTIFY_PAGE,
      before: eventSortKeyAfter(visible),
    } as const;
    const from = eventSortKeyAfter(this.#notifiedPosition);
    let after: string | undefined;
    for (;;) {
      const page = await this.#models.page(model, { ...range, from, ...(after !== undefined && { after }) });
      for (const { key } of page) yield ownerOfKey(key);
      const last = page.at(-1);
      if (last === undefined || page.length < NOTIFY_PAGE) return;
      after = last.sort;
    }
  }

  #notify(accountId: string): void {
    for (const watch of this.#watches.get(accountId) ?? []) watch.notify();
  }
}
