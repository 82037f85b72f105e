import { setTimeout as sleep } from "node:timers/promises";

/** Real time for leases, waits and time-outs, independent of the service's clock. */
export interface RealTime {
  /** Milliseconds since a moment of this machine's own choice. Never goes back. */
  now(): number;
  /** Resolves after so many milliseconds, or when the signal aborts. Never rejects. */
  pause(milliseconds: number, signal?: AbortSignal): Promise<unknown>;
}

export const realTime: RealTime = {
  now: () => performance.now(),
  pause: (milliseconds, signal) =>
    sleep(milliseconds, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

/** A pause of background work, which does not keep the process alive. Ends early when the signal aborts. */
export async function backgroundPause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
}

export interface BackoffOptions {
  /** Real milliseconds. */
  readonly initialMs: number;
  readonly maxMs: number;
}

/** Delays that double up to a maximum. Each has jitter, so that clients dropped together do not return together. */
export class Backoff {
  readonly #options: BackoffOptions;
  #next: number;

  constructor(options: BackoffOptions) {
    this.#options = options;
    this.#next = options.initialMs;
  }

  reset(): void {
    this.#next = this.#options.initialMs;
  }

  /** The next delay, in real milliseconds. Jitter shortens it by at most a half. */
  nextDelay(): number {
    const delay = this.#next * (0.5 + Math.random() / 2);
    this.#next = Math.min(2 * this.#next, this.#options.maxMs);
    return delay;
  }

  /** Returns early when the signal aborts. Does not keep the process alive. */
  pause(signal: AbortSignal): Promise<void> {
    return backgroundPause(this.nextDelay(), signal);
  }
}

/**
 * The result of `work`, or a rejection with `timeoutError()` after so many milliseconds. A result that arrived in time
 * counts even if this thread was too busy to read it, because `setImmediate` lets pending I/O run first.
 */
export function withTimeout<T>(work: Promise<T>, milliseconds: number, timeoutError: () => Error): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(timeoutError())), milliseconds);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Runs one piece of work at a time, in the order of the calls. A failure does not stop the work behind it. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  runExclusive<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }
}

const RETRY_INITIAL_MS = 50;
const RETRY_MAX_MS = 1_000;

/**
 * Pauses between retries: they double, from 50 ms to a second, until a limit in all. If a single try outlasts the whole
 * limit, the process was probably suspended, so one extra try is allowed, once.
 */
export class BoundedBackoff {
  readonly #time: RealTime;
  readonly #giveUpAfterMs: number;
  #giveUpAt: number;
  #triedAt: number;
  #forgives = true;
  #next = RETRY_INITIAL_MS;

  constructor(time: RealTime, giveUpAfterMs: number) {
    this.#time = time;
    this.#giveUpAfterMs = giveUpAfterMs;
    this.#triedAt = time.now();
    this.#giveUpAt = this.#triedAt + giveUpAfterMs;
  }

  /** Returns false at once if the pause would end after the limit. */
  async pause(): Promise<boolean> {
    const pause = this.#next;
    const now = this.#time.now();
    if (this.#forgives && now - this.#triedAt > this.#giveUpAfterMs) {
      this.#forgives = false;
      this.#giveUpAt = Math.max(this.#giveUpAt, now + pause);
    }
    if (now + pause > this.#giveUpAt) return false;
    this.#next = Math.min(2 * pause, RETRY_MAX_MS);
    await this.#time.pause(pause);
    this.#triedAt = this.#time.now();
    return true;
  }
}

/** `read` with a cache. A result or a rejection counts for so many milliseconds from the start of its read. */
export function cachedFor<Value>(milliseconds: number, read: () => Promise<Value>): () => Promise<Value> {
  let cached: { readonly value: Promise<Value>; readonly until: number } | undefined;
  return () => {
    if (cached === undefined || performance.now() >= cached.until) {
      cached = { until: performance.now() + milliseconds, value: read() };
    }
    return cached.value;
  };
}
