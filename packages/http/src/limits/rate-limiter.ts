import type { RateCounter, Window } from "@travel-booking/engines/rate-counter";
import type { Clock } from "@travel-booking/runtime";

const WINDOW = 60_000;

/** Where a request stands in its window. */
export interface RateStatus {
  readonly exceeded: boolean;
  /** Requests allowed per minute. */
  readonly limit: number;
  readonly remaining: number;
  /** Unix seconds. */
  readonly resetsAt: number;
  /** Seconds until a new window begins; at least one. */
  readonly retryAfter: number;
}

export interface RateLimiterOptions {
  /** Per key and minute; 0: no limit at all. */
  readonly perMinute: number;
  readonly counter: RateCounter;
  readonly clock: Clock;
}

/** Limits requests per key in fixed windows of one minute, by the service's clock. */
export class RateLimiter {
  readonly #perMinute: number;
  readonly #counter: RateCounter;
  readonly #clock: Clock;

  constructor({ perMinute, counter, clock }: RateLimiterOptions) {
    this.#perMinute = perMinute;
    this.#counter = counter;
    this.#clock = clock;
  }

  /** Counts one request; undefined where there is no limit. */
  count(key: string): RateStatus | undefined | Promise<RateStatus> {
    if (this.#perMinute === 0) return undefined;
    const now = this.#clock.now();
    const window = this.#counter.increment(key, now, WINDOW);
    return window instanceof Promise ? window.then((counted) => this.#status(counted, now)) : this.#status(window, now);
  }

  #status({ startedAt, count }: Window, now: number): RateStatus {
    const limit = this.#perMinute;
    const endsAt = startedAt + WINDOW;
    return {
      exceeded: count > limit,
      limit,
      remaining: Math.max(0, limit - count),
      resetsAt: Math.ceil(endsAt / 1_000),
      retryAfter: Math.max(1, Math.ceil((endsAt - now) / 1_000)),
    };
  }
}
