import type { ProjectionProgress } from "@travel-booking/read-models";
import { PUBLIC_PROJECTION_NAMES } from "@travel-booking/read-models";
import type { FanOut } from "./fan-out.ts";
import type { ReplayProcessor } from "./replay-processor.ts";

/** Real time: how long nothing is looked for where nobody says that there is something. */
const POLL_INTERVAL_MS = 1_000;

export interface FanOutLoopOptions {
  readonly fanOut: FanOut;
  readonly replays: ReplayProcessor;
  readonly progress: ProjectionProgress;
}

/** Has what endpoints are owed follow the events, and the replays that are asked for. */
export class FanOutLoop {
  readonly #options: FanOutLoopOptions;
  #wakeUp = Promise.withResolvers<void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FanOutLoopOptions) {
    this.#options = options;
  }

  /** Begins anew, from what is stored. */
  resetCheckpoint(): void {
    this.#options.fanOut.resetCheckpoint();
  }

  /** There is something to be done that no event tells of. */
  wake(): void {
    this.#wakeUp.resolve();
  }

  /** Takes up everything there is. Calls at once follow one after another. */
  catchUp(signal?: AbortSignal): Promise<void> {
    const done = this.#last.then(() => this.#catchUp(signal));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when there may be something new, or it is time to look. */
  async waitForWork(signal: AbortSignal): Promise<void> {
    const { progress, fanOut } = this.#options;
    const next = fanOut.processedPosition + 1n;
    const reached = PUBLIC_PROJECTION_NAMES.map((name) => progress.waitUntil(name, next, POLL_INTERVAL_MS));
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([Promise.all(reached), this.#wakeUp.promise, aborted.promise]);
    signal.removeEventListener("abort", abort);
    this.#wakeUp = Promise.withResolvers();
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const events = await this.#options.fanOut.processBatch();
      const replayed = await this.#options.replays.processBatch();
      if (events === 0 && !replayed) return;
    }
  }
}
