import type { Clock } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { latestPosition } from "../command-handling/command.ts";
import { type DueTaskEntry, type DueTaskList, dueTaskPages } from "./due-task-list.ts";

/** How often the list is looked at when nothing is known to be due; real time. */
const POLL_INTERVAL_MS = 250;

export interface SchedulerOptions {
  readonly list: Pick<DueTaskList, "dueBy">;
  readonly clock: Clock;
  /** Does what the obligation asks for; answers the log position that shows it done. Harmless to repeat. */
  readonly run: (task: DueTaskEntry["task"]) => Promise<bigint>;
  /** Resolves when the list shows everything up to this log position. */
  readonly waitUntilListed: (position: bigint) => Promise<void>;
  readonly onFailed: (task: DueTaskEntry, error: unknown) => void;
  /** For the pauses between retries; the machine's unless told. */
  readonly realTime?: Pick<RealTime, "now">;
}

/**
 * Meets obligations as they fall due. What fails is tried again with growing pauses, and holds up nothing else.
 * Nothing is lost with this object: the list is the read model's.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #retries: RetryBackoff;
  #running: Promise<unknown> | undefined;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#retries = new RetryBackoff(options.realTime ?? realTime);
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.runDue()
        .catch(() => undefined)
        .then(() => {
          this.#running = undefined;
          if (!this.#stop.signal.aborted) this.start();
        });
    }, POLL_INTERVAL_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Meets everything that is due now, in the order of due times, page by page; answers how many were met. */
  async runDue(): Promise<number> {
    const { list, clock } = this.#options;
    let met = 0;
    for await (const page of dueTaskPages(list, clock.now(), this.#stop.signal)) {
      met += await this.#runAll(page.filter(({ key }) => this.#retries.isReady(key)));
    }
    return met;
  }

  async #runAll(entries: readonly DueTaskEntry[]): Promise<number> {
    const positions = (await Promise.all(entries.map((entry) => this.#run(entry)))).filter((met) => met !== undefined);
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

const INITIAL_BACKOFF_MS = 1_000;
const MAX_BACKOFF_MS = 60_000;

interface Retry {
  readonly notBefore: number;
  readonly delayMs: number;
}

/** What failed is tried again with pauses that double, from a second to a minute; real time. */
export class RetryBackoff {
  readonly #realTime: Pick<RealTime, "now">;
  readonly #failed = new Map<string, Retry>();

  constructor(realTime: Pick<RealTime, "now">) {
    this.#realTime = realTime;
  }

  /** Whether it may be tried now. */
  isReady(key: string): boolean {
    const retry = this.#failed.get(key);
    return retry === undefined || this.#realTime.now() >= retry.notBefore;
  }

  recordSuccess(key: string): void {
    this.#failed.delete(key);
  }

  recordFailure(key: string): void {
    const pause = Math.min(2 * (this.#failed.get(key)?.delayMs ?? INITIAL_BACKOFF_MS / 2), MAX_BACKOFF_MS);
    this.#failed.set(key, { notBefore: this.#realTime.now() + pause, delayMs: pause });
  }
}
