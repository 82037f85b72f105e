import { setTimeout as pause } from "node:timers/promises";
import { realTime } from "@travel-booking/runtime/real-time";
import { type DueTaskEntry, dueTaskPages } from "./due-task-list.ts";
import { RetryBackoff, type SchedulerOptions } from "./scheduler.ts";

/** How often the list is looked at when nothing of it can be begun; real time. */
const POLL_INTERVAL_MS = 250;

interface FairSchedulerOptions extends SchedulerOptions {
  /** Who has a share of the work in this; those who do take turns, and have one under way at a time. */
  readonly fairnessKeyOf: (task: DueTaskEntry["task"]) => string;
  /** So many are met side by side. */
  readonly concurrency: number;
}

/**
 * Meets obligations that take long: before each it looks at the whole list again, and takes the oldest of whoever has
 * waited longest for a turn. However much somebody has on the list, anybody else waits for what is under way only.
 */
export class FairScheduler {
  readonly #options: FairSchedulerOptions;
  readonly #retries: RetryBackoff;
  readonly #stop = new AbortController();
  /** By share: there is one of each under way. */
  readonly #inFlight = new Map<string, Promise<void>>();
  /** When each share on the list had its last turn, counted in turns. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  #running: Promise<void> | undefined;

  constructor(options: FairSchedulerOptions) {
    this.#options = options;
    this.#retries = new RetryBackoff(options.realTime ?? realTime);
  }

  start(): void {
    this.#running = this.#run();
  }

  /** Begins nothing more; resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      // A list that can't be read now is read again.
      await this.#startReady().catch(() => undefined);
      const look = pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([look, ...(this.#isFull ? this.#inFlight.values() : [])]);
    }
    await Promise.all(this.#inFlight.values());
  }

  get #isFull(): boolean {
    return this.#inFlight.size >= this.#options.concurrency;
  }

  async #startReady(): Promise<void> {
    while (!this.#isFull && !this.#stop.signal.aborted) {
      const next = await this.#next();
      if (next === undefined || this.#stop.signal.aborted) return;
      this.#start(next);
    }
  }

  /** The oldest of whoever has waited longest; who has had no turn yet, longest of all. */
  async #next(): Promise<DueTaskEntry | undefined> {
    const oldest = await this.#oldestPerKey();
    for (const share of this.#lastTurns.keys()) {
      if (!oldest.has(share) && !this.#inFlight.has(share)) this.#lastTurns.delete(share);
    }
    const last = (share: string) => this.#lastTurns.get(share) ?? -1;
    const waiting = [...oldest].filter(([share]) => !this.#inFlight.has(share));
    return waiting.reduce<[string, DueTaskEntry] | undefined>(
      (first, other) => (first === undefined || last(other[0]) < last(first[0]) ? other : first),
      undefined,
    )?.[1];
  }

  async #oldestPerKey(): Promise<ReadonlyMap<string, DueTaskEntry>> {
    const { list, clock, fairnessKeyOf } = this.#options;
    const oldest = new Map<string, DueTaskEntry>();
    for await (const page of dueTaskPages(list, clock.now(), this.#stop.signal)) {
      for (const entry of page) {
        const share = fairnessKeyOf(entry.task);
        if (!oldest.has(share) && this.#retries.isReady(entry.key)) oldest.set(share, entry);
      }
    }
    return oldest;
  }

  #start(entry: DueTaskEntry): void {
    const share = this.#options.fairnessKeyOf(entry.task);
    this.#turns += 1;
    this.#lastTurns.set(share, this.#turns);
    this.#inFlight.set(
      share,
      this.#runTask(entry).finally(() => this.#inFlight.delete(share)),
    );
  }

  async #runTask(entry: DueTaskEntry): Promise<void> {
    const { run, waitUntilListed, onFailed } = this.#options;
    try {
      await waitUntilListed(await run(entry.task));
      this.#retries.recordSuccess(entry.key);
    } catch (error) {
      this.#retries.recordFailure(entry.key);
      onFailed(entry, error);
    }
  }
}
