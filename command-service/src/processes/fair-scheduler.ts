import { setTimeout as pause } from "node:timers/promises";
import { realTime } from "@travel-booking/runtime/real-time";
import { type DueTaskEntry, dueTaskPages } from "./due-task-list.ts";
import { RetryBackoff, type SchedulerOptions } from "./scheduler.ts";

/** How often the list is polled when nothing of it can be started; real time. */
const POLL_INTERVAL_MS = 250;

interface FairSchedulerOptions extends SchedulerOptions {
  /** Tasks of different keys are run in turn, and one of a key at a time. */
  readonly fairnessKeyOf: (task: DueTaskEntry["task"]) => string;
  /** How many tasks run at the same time. */
  readonly concurrency: number;
}

/**
 * Runs tasks that take long, fairly: before each it reads the whole list again and takes the oldest task of the key whose
 * last turn is longest ago. However many tasks one key has, another waits only for those in flight.
 */
export class FairScheduler {
  readonly #options: FairSchedulerOptions;
  readonly #retries: RetryBackoff;
  readonly #stop = new AbortController();
  /** By fairness key. */
  readonly #inFlight = new Map<string, Promise<void>>();
  /** The number of the last turn of each fairness key on the list. */
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

  /** Starts no more tasks; resolves when those in flight have ended. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      // A list that can't be read now is read again later.
      await this.#startReady().catch(() => undefined);
      const poll = pause(POLL_INTERVAL_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([poll, ...(this.#isFull ? this.#inFlight.values() : [])]);
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

  /** The oldest task of the key that has waited longest; a key without a turn so far has waited longest of all. */
  async #next(): Promise<DueTaskEntry | undefined> {
    const oldest = await this.#oldestPerKey();
    for (const fairnessKey of this.#lastTurns.keys()) {
      if (!oldest.has(fairnessKey) && !this.#inFlight.has(fairnessKey)) this.#lastTurns.delete(fairnessKey);
    }
    const last = (fairnessKey: string) => this.#lastTurns.get(fairnessKey) ?? -1;
    const waiting = [...oldest].filter(([fairnessKey]) => !this.#inFlight.has(fairnessKey));
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
        const fairnessKey = fairnessKeyOf(entry.task);
        if (!oldest.has(fairnessKey) && this.#retries.isReady(entry.key)) oldest.set(fairnessKey, entry);
      }
    }
    return oldest;
  }

  #start(entry: DueTaskEntry): void {
    const fairnessKey = this.#options.fairnessKeyOf(entry.task);
    this.#turns += 1;
    this.#lastTurns.set(fairnessKey, this.#turns);
    this.#inFlight.set(
      fairnessKey,
      this.#runTask(entry).finally(() => this.#inFlight.delete(fairnessKey)),
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
