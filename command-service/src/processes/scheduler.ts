import type { Clock } from "@travel-booking/runtime";
import { backgroundPause, type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { latestPosition } from "../command-handling/command.ts";
import { type DueTaskEntry, type DueTaskList, dueTaskPages } from "./due-task-list.ts";
import type { TaskGuard } from "./task-guard.ts";

/** Real time between two polls of the list. */
const POLL_INTERVAL_MS = 250;

export interface SchedulerOptions {
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly clock: Clock;
  /** Runs a task and returns the log position that shows it done. Idempotent. */
  readonly run: (task: DueTaskEntry["task"]) => Promise<bigint>;
  /** Resolves when the list shows everything up to this log position. */
  readonly waitUntilListed: (position: bigint) => Promise<void>;
  readonly onFailed: (task: DueTaskEntry, error: unknown) => void;
  /** Called once per reason in a row, when a poll can't read the list or fails. The next poll tries again. */
  readonly onUnreadable?: (error: unknown) => void;
  /** Puts off a task that ends its process, so that it does not end one after another. Absent: no protection. */
  readonly guard?: TaskGuard;
  /** False while no task may begin, because its result could not be recorded. Default: true. */
  readonly mayBegin?: (() => boolean) | undefined;
  /** The clock of the back-off. Default: the machine's. */
  readonly realTime?: Pick<RealTime, "now">;
}

/**
 * Runs due tasks. A task that fails is retried with a back-off and delays no other. The list is a read model, so the
 * scheduler has no state that must survive.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #retries: RetryBackoff;
  /** After it aborts, no further task begins. */
  #stopping: AbortSignal | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#retries = new RetryBackoff(options.realTime ?? realTime);
  }

  /**
   * Runs due tasks until the signal aborts. Resolves when the tasks in flight have ended.
   * @param left tasks to run first, even if they are not due.
   */
  async runUntil(signal: AbortSignal, left: readonly DueTaskEntry[] = []): Promise<void> {
    this.#stopping = signal;
    const readable = new OncePerReason(this.#options.onUnreadable);
    await readable.attempt(() => this.runNow(left));
    for (;;) {
      await backgroundPause(POLL_INTERVAL_MS, signal);
      if (signal.aborted) return;
      await readable.attempt(() => this.runDue());
    }
  }

  /**
   * Runs all tasks that are due now, page by page, soonest first. Returns how many succeeded.
   * @param waited true: an operator waits, so tasks that were put off after the end of a process run, too.
   */
  async runDue(waited = false): Promise<number> {
    const { list, clock } = this.#options;
    let succeeded = 0;
    for await (const page of dueTaskPages(list, clock.now(), this.#stopping)) {
      if (!this.#mayBegin) return succeeded;
      const ready = page.filter(({ key }) => this.#retries.isReady(key));
      succeeded += await this.runNow(ready, waited);
    }
    return succeeded;
  }

  get #mayBegin(): boolean {
    return this.#options.mayBegin?.() !== false;
  }

  /** Runs these tasks, even if not due. Returns how many succeeded. Failed tasks run again when due. */
  async runNow(entries: readonly DueTaskEntry[], waited = false): Promise<number> {
    if (!this.#mayBegin || entries.length === 0) return 0;
    const { guard } = this.#options;
    const { together, alone } = (await guard?.sort(entries, waited)) ?? { together: entries, alone: [] };
    const runAll = () => Promise.all(together.map((entry) => this.#run(entry)));
    const results = await (guard?.watch(together, runAll) ?? runAll());
    // Only one, because each may take long, and tasks that fall due meanwhile must not wait for all of them.
    for (const entry of waited ? alone : alone.slice(0, 1)) {
      results.push(await guard?.watch([entry], () => this.#run(entry)));
    }
    const positions = results.filter((position) => position !== undefined);
    if (positions.length > 0) await this.#options.waitUntilListed(latestPosition(0n, ...positions));
    return positions.length;
  }

  async #run(entry: DueTaskEntry): Promise<bigint | undefined> {
    try {
      const position = await this.#options.run(entry.task);
      this.#retries.recordSuccess(entry.key);
      return position;
    } catch (error) {
      this.#retries.recordFailure(entry.key);
      this.#options.onFailed(entry, error);
      return undefined;
    }
  }
}

/** Makes attempts and reports a failure, unless the attempt before failed for the same reason. */
export class OncePerReason {
  readonly #tell: (error: unknown) => void;
  #last: string | undefined;

  constructor(tell: (error: unknown) => void = () => undefined) {
    this.#tell = tell;
  }

  async attempt(work: () => Promise<unknown>): Promise<void> {
    try {
      await work();
      this.#last = undefined;
    } catch (error) {
      const reason = String(error);
      if (reason !== this.#last) this.#tell(error);
      this.#last = reason;
    }
  }
}

const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

interface Retry {
  readonly notBefore: number;
  readonly delayMs: number;
}

/** The back-off of failed tasks. It doubles from a second to a minute of real time. */
export class RetryBackoff {
  readonly #realTime: Pick<RealTime, "now">;
  readonly #failed = new Map<string, Retry>();

  constructor(realTime: Pick<RealTime, "now">) {
    this.#realTime = realTime;
  }

  /** Whether the task may be run now. */
  isReady(key: string): boolean {
    const retry = this.#failed.get(key);
    return retry === undefined || this.#realTime.now() >= retry.notBefore;
  }

  recordSuccess(key: string): void {
    this.#failed.delete(key);
  }

  recordFailure(key: string): void {
    const delayMs = Math.min(2 * (this.#failed.get(key)?.delayMs ?? INITIAL_BACKOFF_MS / 2), MAX_BACKOFF_MS);
    this.#failed.set(key, { notBefore: this.#realTime.now() + delayMs, delayMs });
  }
}
