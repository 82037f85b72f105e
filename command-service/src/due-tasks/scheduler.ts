import type { Clock } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { latestPosition } from "../command-handling/latest-position.ts";
import { type DueTaskEntry, type DueTaskList, dueTaskPages } from "./due-task-list.ts";
import { RetryBackoff } from "./retry-backoff.ts";

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
