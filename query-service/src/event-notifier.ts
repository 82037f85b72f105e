import { setTimeout as sleep } from "node:timers/promises";
import { PUBLIC_EVENTS, type PublicEventType } from "@travel-booking/domain";
import { pagesOf, type ReadModels } from "@travel-booking/engines/read-store";
import {
  ALL_PARTITION,
  EVENTS,
  type EventStub,
  eventSortKeyAfter,
  feedOf,
  isCreation,
  type ProjectionProgress,
  parseEventStub,
} from "@travel-booking/read-models";

/** Whether a watch notices events of this type: those that are always in the feed of bookings. */
export function isWatched(type: PublicEventType): boolean {
  return feedOf(PUBLIC_EVENTS[type].lane).projection === EVENTS.projection && !isCreation(type);
}

/** What one request waits on: events of its account that its list would have. */
export class EventWatch {
  readonly isWanted: (event: EventStub) => boolean;
  /** Unregisters the watch. */
  readonly end: () => void;
  #isClosed = false;
  #wake = new AbortController();

  constructor(isWanted: (event: EventStub) => boolean, end: () => void) {
    this.isWanted = isWanted;
    this.end = end;
  }

  /** The watch notices nothing more. */
  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Resolves true when an event has become visible since the last call, or since the watch began, and when the watch is
   * closed; false on time-out (real time). Read after it, whatever it says.
   */
  async next(timeoutMs: number): Promise<boolean> {
    const isWoken = await sleep(timeoutMs, false, { signal: this.#wake.signal }).catch(() => true);
    if (!this.#isClosed) this.#wake = new AbortController();
    return isWoken;
  }

  notify(): void {
    this.#wake.abort();
  }

  close(): void {
    this.#isClosed = true;
    this.#wake.abort();
  }
}

/** Of all accounts together: waiting requests cost memory and little else. */
const MAX_WAITING = 5_000;
/** Real time: how soon polling stops after the last request has stopped waiting. */
const POLL_TIMEOUT_MS = 1_000;
/** Real time: after a poll that found nothing, or failed. */
const PAUSE_MS = 10;
const PAGE_SIZE = 500;

export interface EventNotifierOptions {
  readonly models: Pick<ReadModels, "page">;
  readonly progress: ProjectionProgress;
  readonly maxWaiting?: number;
}

/**
 * Wakes requests that wait for an event of their account. However many wait, one loop polls the read models and reads
 * each new event once. It runs only while requests wait.
 */
export class EventNotifier {
  readonly #options: EventNotifierOptions;
  readonly #watches = new Map<string, Set<EventWatch>>();
  #waiting = 0;
  #isPolling = false;
  #isStopped = false;
  /** The watches of all events up to here have been notified. */
  #notifiedPosition = 0n;

  constructor(options: EventNotifierOptions) {
    this.#options = options;
  }

  get waiting(): number {
    return this.#waiting;
  }

  /**
   * Notices every event of the account that is wanted, `isWatched`, and becomes visible after this call, so call it before
   * reading, and end the watch. Undefined: too many requests wait.
   */
  watch(accountId: string, isWanted: (event: EventStub) => boolean): EventWatch | undefined {
    if (this.#isStopped || this.#waiting >= (this.#options.maxWaiting ?? MAX_WAITING)) return undefined;
    const ofAccount = this.#watches.get(accountId) ?? new Set();
    this.#watches.set(accountId, ofAccount);
    const watch = new EventWatch(isWanted, () => this.#end(accountId, watch));
    ofAccount.add(watch);
    this.#waiting += 1;
    if (!this.#isPolling) {
      this.#isPolling = true;
      this.#notifiedPosition = this.#options.progress.positionOf(EVENTS.projection);
      void this.#poll();
    }
    return watch;
  }

  /** Closes all watches and gives out no more. */
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
      await this.#options.progress.waitUntil(EVENTS.projection, next, POLL_TIMEOUT_MS);
      const visible = this.#options.progress.positionOf(EVENTS.projection);
      // The positions of another log: what it shows by now is left to the requests themselves.
      if (visible < this.#notifiedPosition) {
        this.#notifyAll();
        this.#notifiedPosition = visible;
      }
      if (visible >= next && (await this.#notifyUpTo(visible))) this.#notifiedPosition = visible;
      else await sleep(PAUSE_MS);
    }
    this.#isPolling = false;
  }

  /** False: the read models could not be read. All watches are notified, so the requests find that out themselves. */
  async #notifyUpTo(visible: bigint): Promise<boolean> {
    try {
      const { model, all: index } = EVENTS.event;
      const from = eventSortKeyAfter(this.#notifiedPosition);
      const before = eventSortKeyAfter(visible);
      const range = { index, partition: ALL_PARTITION, order: "ascending", from, before, limit: PAGE_SIZE } as const;
      for await (const page of pagesOf(this.#options.models, model, range)) {
        for (const item of page) this.#notify(parseEventStub(item.key, item));
      }
      return true;
    } catch {
      this.#notifyAll();
      return false;
    }
  }

  #notifyAll(): void {
    for (const ofAccount of this.#watches.values()) for (const watch of ofAccount) watch.notify();
  }

  #notify(event: EventStub): void {
    for (const watch of this.#watches.get(event.accountId) ?? []) if (watch.isWanted(event)) watch.notify();
  }
}
