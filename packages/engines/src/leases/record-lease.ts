import type { RealTime } from "@travel-booking/runtime/real-time";
import type { PutOptions, StateRecord, StateStore } from "../state-store/index.ts";

/** A lease expires after so many milliseconds of real time without a renewal. */
export const LEASE_DURATION_MS = 5_000;

/** Fractions of the duration of a lease after which each thing happens. */
export const LEASE_FRACTIONS = {
  /** Its holder renews it. */
  renewed: 1 / 3,
  /** A renewal that failed is tried again. */
  retried: 1 / 20,
  /** Others poll whether it is free. */
  polled: 1 / 10,
  /**
   * Its holder stops relying on it. Others take it after the whole duration, which they count from a later moment. The
   * rest is time to stop the work, and covers clocks that run at different speeds.
   */
  safe: 9 / 10,
} as const;

/**
 * Watches a record that another process renews. Clocks of different machines are never compared: what counts is for how
 * long, by this machine's clock, the record has not changed.
 */
export class VersionWatch {
  readonly #realTime: RealTime;
  #seen: string | number | undefined;
  #since = 0;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Milliseconds since the record was first seen in this version. Call it right after each read. */
  unchangedForMs(version: string | number): number {
    const now = this.#realTime.now();
    if (version !== this.#seen) {
      this.#seen = version;
      this.#since = now;
    }
    return now - this.#since;
  }
}

/** The value of a record that is leased; null: nobody holds it. */
export interface LeaseState {
  readonly holder: string | null;
}

interface RecordLeaseOptions {
  /** When the holder sent that write, by its `realTime`. */
  readonly acquiredAt: number;
  readonly durationMs: number;
  readonly realTime: RealTime;
}

/** A lease held by this process on a record, renewed by rewriting the record. */
export class RecordLease<Value extends LeaseState> {
  readonly #store: StateStore;
  readonly #space: string;
  readonly #realTime: RealTime;
  readonly #durationMs: number;
  #record: StateRecord<Value>;
  #renewedAt: number;
  #lost = false;

  /** @param record as written with the holder's name. */
  constructor(
    store: StateStore,
    space: string,
    record: StateRecord<Value>,
    { acquiredAt, durationMs, realTime }: RecordLeaseOptions,
  ) {
    this.#store = store;
    this.#space = space;
    this.#realTime = realTime;
    this.#durationMs = durationMs;
    this.#record = record;
    this.#renewedAt = acquiredAt;
  }

  get key(): string {
    return this.#record.key;
  }

  get value(): Value {
    return this.#record.value;
  }

  /** Another process has taken it, or the record was removed. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Until then, by real time, no other process can have taken it. */
  get validUntil(): number {
    return this.#renewedAt + this.#durationMs * LEASE_FRACTIONS.safe;
  }

  /** False as soon as another process may have taken it. A renewal may make it true again. */
  get isValid(): boolean {
    return !this.#lost && this.#realTime.now() < this.validUntil;
  }

  /** Renews it until `done` aborts or it is lost; failures are retried. Never rejects. */
  async renewUntil(done: AbortSignal): Promise<void> {
    let wait: number = LEASE_FRACTIONS.renewed;
    while (!done.aborted && !this.#lost) {
      await this.#realTime.pause(this.#durationMs * wait, done);
      if (done.aborted) return;
      try {
        await this.write(this.value);
        wait = LEASE_FRACTIONS.renewed;
      } catch {
        wait = LEASE_FRACTIONS.retried;
      }
    }
  }

  /**
   * Replaces the value; false, and nothing is written, where the lease is lost. Must not be called while `renewUntil`
   * runs.
   * @throws StateStoreUnavailable the outcome is unknown; the lease may still be held.
   */
  async write(value: Value, options: PutOptions = { expiresAt: this.#record.expiresAt }): Promise<boolean> {
    const { key } = this.#record;
    const { holder } = this.value;
    while (!this.#lost) {
      const since = this.#realTime.now();
      const written = await this.#store.replace(this.#space, key, this.#record.version, value, options);
      if (written !== undefined) {
        this.#record = written;
        this.#renewedAt = since;
        return true;
      }
      // Another version: written by another process, or by this one with the answer lost.
      const found = await this.#store.get<Value>(this.#space, key);
      const isMine = found?.value.holder === holder && found.version !== this.#record.version;
      if (isMine) this.#record = { ...this.#record, version: found.version };
      else this.#lost = true;
    }
    return false;
  }
}
