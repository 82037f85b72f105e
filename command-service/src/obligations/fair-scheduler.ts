import { setTimeout as pause } from "node:timers/promises";
import { realTime } from "@travel-booking/runtime/real-time";
import { type DueObligation, duePages } from "./due-list.ts";
import { Retries } from "./retries.ts";
import type { SchedulerOptions } from "./scheduler.ts";

/** How often the list is looked at when nothing of it can be begun; real time. */
const LOOK_EVERY_MS = 250;

export interface FairSchedulerOptions extends SchedulerOptions {
  /** Who has a share of the work in this; those who do take turns, and have one under way at a time. */
  readonly shareOf: (obligation: DueObligation["obligation"]) => string;
  /** So many are met side by side. */
  readonly atOnce: number;
}

/**
 * Meets obligations that take long: before each it looks at the whole list again, and takes the oldest of whoever has
 * waited longest for a turn. However much somebody has on the list, anybody else waits for what is under way only.
 */
export class FairScheduler {
  readonly #options: FairSchedulerOptions;
  readonly #retries: Retries;
  readonly #stop = new AbortController();
  /** By share: there is one of each under way. */
  readonly #underWay = new Map<string, Promise<void>>();
  /** When each share on the list had its last turn, counted in turns. */
  readonly #lastTurns = new Map<string, number>();
  #turns = 0;
  #running: Promise<void> | undefined;

  constructor(options: FairSchedulerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.realTime ?? realTime);
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
      await this.#beginAll().catch(() => undefined);
      const look = pause(LOOK_EVERY_MS, undefined, { signal, ref: false }).catch(() => undefined);
      await Promise.race([look, ...(this.#isFull ? this.#underWay.values() : [])]);
    }
    await Promise.all(this.#underWay.values());
  }

  get #isFull(): boolean {
    return this.#underWay.size >= this.#options.atOnce;
  }

  async #beginAll(): Promise<void> {
    while (!this.#isFull && !this.#stop.signal.aborted) {
      const next = await this.#next();
      if (next === undefined || this.#stop.signal.aborted) return;
      this.#begin(next);
    }
  }

  /** The oldest of whoever has waited longest; who has had no turn yet, longest of all. */
  async #next(): Promise<DueObligation | undefined> {
    const oldest = await this.#oldestOfEach();
    for (const share of this.#lastTurns.keys()) {
      if (!oldest.has(share) && !this.#underWay.has(share)) this.#lastTurns.delete(share);
    }
    const last = (share: string) => this.#lastTurns.get(share) ?? -1;
    const waiting = [...oldest].filter(([share]) => !this.#underWay.has(share));
    return waiting.reduce<[string, DueObligation] | undefined>(
      (first, other) => (first === undefined || last(other[0]) < last(first[0]) ? other : first),
      undefined,
    )?.[1];
  }

  async #oldestOfEach(): Promise<ReadonlyMap<string, DueObligation>> {
    const { list, clock, shareOf } = this.#options;
    const oldest = new Map<string, DueObligation>();
    for await (const page of duePages(list, clock.now(), this.#stop.signal)) {
      for (const entry of page) {
        const share = shareOf(entry.obligation);
        if (!oldest.has(share) && this.#retries.isReady(entry.key)) oldest.set(share, entry);
      }
    }
    return oldest;
  }

  #begin(entry: DueObligation): void {
    const share = this.#options.shareOf(entry.obligation);
    this.#turns += 1;
    this.#lastTurns.set(share, this.#turns);
    this.#underWay.set(
      share,
      this.#meet(entry).finally(() => this.#underWay.delete(share)),
    );
  }

  async #meet(entry: DueObligation): Promise<void> {
    const { meet, listed, failed } = this.#options;
    try {
      await listed(await meet(entry.obligation));
      this.#retries.succeeded(entry.key);
    } catch (error) {
      this.#retries.failed(entry.key);
      failed(entry, error);
    }
  }
}
