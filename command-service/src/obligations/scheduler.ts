import type { Clock } from "@travel-booking/runtime";
import { type RealTime, realTime } from "@travel-booking/runtime/real-time";
import { latest } from "../handling/latest.ts";
import { type DueList, type DueObligation, duePages } from "./due-list.ts";
import { Retries } from "./retries.ts";

/** How often the list is looked at when nothing is known to be due; real time. */
const LOOK_EVERY_MS = 250;

export interface SchedulerOptions {
  readonly list: Pick<DueList, "dueBy">;
  readonly clock: Clock;
  /** Does what the obligation asks for; answers the log position that shows it done. Harmless to repeat. */
  readonly meet: (obligation: DueObligation["obligation"]) => Promise<bigint>;
  /** Resolves when the list shows everything up to this log position. */
  readonly listed: (position: bigint) => Promise<void>;
  readonly failed: (obligation: DueObligation, error: unknown) => void;
  /** For the pauses between retries; the machine's unless told. */
  readonly realTime?: Pick<RealTime, "now">;
}

/**
 * Meets obligations as they fall due. What fails is tried again with growing pauses, and holds up nothing else.
 * Nothing is lost with this object: the list is the read model's.
 */
export class Scheduler {
  readonly #options: SchedulerOptions;
  readonly #retries: Retries;
  #running: Promise<unknown> | undefined;
  readonly #stop = new AbortController();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#retries = new Retries(options.realTime ?? realTime);
  }

  start(): void {
    this.#timer = setTimeout(() => {
      this.#running = this.meetDue()
        .catch(() => undefined)
        .then(() => {
          this.#running = undefined;
          if (!this.#stop.signal.aborted) this.start();
        });
    }, LOOK_EVERY_MS);
    this.#timer.unref();
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    clearTimeout(this.#timer);
    await this.#running;
  }

  /** Meets everything that is due now, in the order of due times, page by page; answers how many were met. */
  async meetDue(): Promise<number> {
    const { list, clock } = this.#options;
    let met = 0;
    for await (const page of duePages(list, clock.now(), this.#stop.signal)) {
      met += await this.#meetAll(page.filter(({ key }) => this.#retries.isReady(key)));
    }
    return met;
  }

  async #meetAll(entries: readonly DueObligation[]): Promise<number> {
    const positions = (await Promise.all(entries.map((entry) => this.#meet(entry)))).filter((met) => met !== undefined);
    if (positions.length > 0) await this.#options.listed(latest(0n, ...positions));
    return positions.length;
  }

  async #meet(entry: DueObligation): Promise<bigint | undefined> {
    try {
      const position = await this.#options.meet(entry.obligation);
      this.#retries.succeeded(entry.key);
      return position;
    } catch (error) {
      this.#retries.failed(entry.key);
      this.#options.failed(entry, error);
      return undefined;
    }
  }
}
