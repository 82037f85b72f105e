import type { ProjectionProgress } from "@travel-booking/read-models";
import { PUBLIC_PROJECTION_NAMES } from "@travel-booking/read-models";
import type { FanOut } from "./fan-out.ts";
import type { Replays } from "./replay.ts";

/** Real time: how long nothing is looked for where nobody says that there is something. */
const LOOK_EVERY_MS = 1_000;

export interface FollowerOptions {
  readonly fanOut: FanOut;
  readonly replays: Replays;
  readonly progress: ProjectionProgress;
}

/** Has what endpoints are owed follow the events, and the replays that are asked for. */
export class Follower {
  readonly #options: FollowerOptions;
  #nudge = Promise.withResolvers<void>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: FollowerOptions) {
    this.#options = options;
  }

  /** Begins anew, from what is stored. */
  forget(): void {
    this.#options.fanOut.forget();
  }

  /** There is something to be done that no event tells of. */
  nudge(): void {
    this.#nudge.resolve();
  }

  /** Takes up everything there is. Calls at once follow one after another. */
  catchUp(signal?: AbortSignal): Promise<void> {
    const done = this.#last.then(() => this.#catchUp(signal));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** Resolves when there may be something new, or it is time to look. */
  async somethingNew(signal: AbortSignal): Promise<void> {
    const { progress, fanOut } = this.#options;
    const next = fanOut.seen + 1n;
    const reached = PUBLIC_PROJECTION_NAMES.map((name) => progress.waitUntil(name, next, LOOK_EVERY_MS));
    const aborted = Promise.withResolvers<void>();
    const abort = () => aborted.resolve();
    signal.addEventListener("abort", abort, { once: true });
    await Promise.race([Promise.all(reached), this.#nudge.promise, aborted.promise]);
    signal.removeEventListener("abort", abort);
    this.#nudge = Promise.withResolvers();
  }

  async #catchUp(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true) {
      const events = await this.#options.fanOut.step();
      const replayed = await this.#options.replays.step();
      if (events === 0 && !replayed) return;
    }
  }
}
