import { dueSortKey } from "@travel-booking/domain";
import { backgroundPause, realTime } from "@travel-booking/runtime/real-time";
import type { DueTaskEntry } from "./due-task-list.ts";
import { FairQueue } from "./fair-queue.ts";
import { OncePerReason, RetryBackoff, type SchedulerOptions } from "./scheduler.ts";

/** Real time between two polls of the list when no task can start. */
const POLL_INTERVAL_MS = 250;

interface FairSchedulerOptions extends Omit<SchedulerOptions, "run"> {
  /** As in `SchedulerOptions`. @param ends how often a process ended during this task. */
  readonly run: (task: DueTaskEntry["task"], ends: number) => Promise<bigint>;
  /** Tasks of different keys are run in turn, and one of a key at a time. */
  readonly fairnessKeyOf: (task: DueTaskEntry["task"]) => string;
  /** How many tasks run at the same time. */
  readonly concurrency: number;
}

/** Tasks that are read at a time. */
const PAGE = 200;

/**
 * Runs tasks that take long, fairly: the oldest task of the key whose last turn ended longest ago. However many tasks one
 * key has, another key waits only for those in flight. Waiting tasks are kept in memory, so a search for the next one reads
 * only new entries of the list, and one page of the rest. These pages go through the whole list, over and over, to find
 * tasks that were listed late, or failed and must be repeated.
 */
export class FairScheduler {
  readonly #options: FairSchedulerOptions;
  readonly #retries: RetryBackoff;
  readonly #waiting = new FairQueue<DueTaskEntry>();
  /** The keys of tasks that wait or are in flight. */
  readonly #known = new Set<string>();
  readonly #inFlight = new Set<Promise<void>>();
  /** True: a task that was put off runs, or waits for the others in flight. */
  #isAlone = false;
  /** The keys of tasks that ended since the last read of the list. A page being read may still have them. */
  readonly #ended = new Set<string>();
  /** Sort keys: everything up to the first has been read once; up to the second, again. */
  #readUpTo: string | undefined;
  #readAgainUpTo: string | undefined;

  constructor(options: FairSchedulerOptions) {
    this.#options = options;
    this.#retries = new RetryBackoff(options.realTime ?? realTime);
  }

  /** Runs due tasks until the signal aborts. Resolves when the tasks in flight have ended. */
  async runUntil(signal: AbortSignal): Promise<void> {
    const readable = new OncePerReason(this.#options.onUnreadable);
    while (!signal.aborted) {
      if (!this.#startsNone) await readable.attempt(() => this.#readList(signal));
      if (!signal.aborted) this.#startWaiting();
      await Promise.race([backgroundPause(POLL_INTERVAL_MS, signal), ...this.#inFlight]);
    }
    await Promise.all(this.#inFlight);
  }

  get #startsNone(): boolean {
    const { concurrency, mayBegin } = this.#options;
    return this.#isAlone || this.#inFlight.size >= concurrency || mayBegin?.() === false;
  }

  #startWaiting(): void {
    while (!this.#startsNone) {
      const next = this.#waiting.take();
      if (next === undefined) return;
      const ends = this.#options.guard?.endsIn(next.key) ?? 0;
      this.#isAlone = ends > 0;
      const others = this.#isAlone ? [...this.#inFlight] : [];
      const ended = this.#runTask(next, ends, others).finally(() => {
        this.#inFlight.delete(ended);
        if (ends > 0) this.#isAlone = false;
      });
      this.#inFlight.add(ended);
    }
  }

  async #readList(signal: AbortSignal): Promise<void> {
    const { list, clock } = this.#options;
    const now = clock.now();
    this.#ended.clear();
    for (;;) {
      const page = await list.dueBy(now, PAGE, this.#readUpTo);
      this.#readUpTo = (await this.#add(page)) ?? this.#readUpTo;
      if (page.length < PAGE || signal.aborted) break;
    }
    const page = await list.dueBy(now, PAGE, this.#readAgainUpTo);
    const last = await this.#add(page);
    this.#readAgainUpTo = page.length < PAGE ? undefined : last;
  }

  /** Adds the tasks that are new and may be run; returns the sort key of the last one on the page. */
  async #add(page: readonly DueTaskEntry[]): Promise<string | undefined> {
    const { together, alone } = (await this.#options.guard?.sort(page)) ?? { together: page, alone: [] };
    for (const entry of [...together, ...alone]) {
      const { key, task } = entry;
      if (this.#known.has(key) || this.#ended.has(key) || !this.#retries.isReady(key)) continue;
      this.#known.add(key);
      this.#waiting.add(this.#options.fairnessKeyOf(task), entry);
    }
    const last = page.at(-1);
    return last && dueSortKey(last.task.dueAt, last.key);
  }

  /** @param others tasks to wait for first. */
  async #runTask(entry: DueTaskEntry, ends: number, others: readonly Promise<void>[]): Promise<void> {
    const { run, waitUntilListed, onFailed, fairnessKeyOf, guard } = this.#options;
    await Promise.all(others);
    try {
      const work = () => run(entry.task, ends);
      await waitUntilListed(await (guard?.watch([entry], work) ?? work()));
      this.#retries.recordSuccess(entry.key);
    } catch (error) {
      this.#retries.recordFailure(entry.key);
      onFailed(entry, error);
    }
    this.#known.delete(entry.key);
    this.#ended.add(entry.key);
    this.#waiting.release(fairnessKeyOf(entry.task));
  }
}
