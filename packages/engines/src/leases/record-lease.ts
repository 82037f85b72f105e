import type { RealTime } from "@travel-booking/runtime/real-time";
import type { PutOptions, StateRecord, StateStore } from "../state-store/index.ts";

/** A lease expires after so many milliseconds of real time without a renewal. */
export const LEASE_DURATION_MS = 5_000;

/** The holder renews its lease after this time. */
const RENEWED_AFTER_MS = LEASE_DURATION_MS / 3;
/** A failed renewal is tried again after this time. */
const RETRIED_AFTER_MS = LEASE_DURATION_MS / 20;
/** Other processes check so often whether the lease is free. */
export const LEASE_POLL_INTERVAL_MS = LEASE_DURATION_MS / 10;
/**
 * The holder relies on its lease for this long. Others take it only after the whole duration, which they count from a
 * later moment. The difference is time to stop the work, and covers clocks that run at different speeds.
 */
const SAFE_FOR_MS = (9 / 10) * LEASE_DURATION_MS;

/**
 * Watches a record that another process renews. Clocks of different machines are never compared: only the time counts
 * for which the record has not changed, by this machine's clock.
 */
export class VersionWatch {
  readonly #realTime: Pick<RealTime, "now">;
  #seen: string | number | undefined;
  #since = 0;

  constructor(realTime: Pick<RealTime, "now">) {
    this.#realTime = realTime;
  }

  /** Milliseconds since this version of the record was first seen. Call it right after each read. */
  unchangedForMs(version: string | number): number {
    const now = this.#realTime.now();
    if (version !== this.#seen) {
      this.#seen = version;
      this.#since = now;
    }
    return now - this.#since;
  }
}

/** The value of a leased record. `holder` is null if nobody holds it. */
export interface LeaseState {
  readonly holder: string | null;
}

interface RecordLeaseOptions {
  /** When the holder sent the write that acquired it, by `realTime`. */
  readonly acquiredAt: number;
  readonly realTime: RealTime;
}

/** A lease held by this process on a record, renewed by rewriting the record. */
export class RecordLease<Value extends LeaseState> {
  readonly #store: StateStore;
  readonly #space: string;
  readonly #realTime: RealTime;
  #record: StateRecord<Value>;
  #renewedAt: number;
  #lost = false;

  /** @param record as it was written with the holder's name. */
  constructor(
    store: StateStore,
    space: string,
    record: StateRecord<Value>,
    { acquiredAt, realTime }: RecordLeaseOptions,
  ) {
    this.#store = store;
    this.#space = space;
    this.#realTime = realTime;
    this.#record = record;
    this.#renewedAt = acquiredAt;
  }

  get key(): string {
    return this.#record.key;
  }

  get value(): Value {
    return this.#record.value;
  }

  /** True once another process has taken the lease, or the record was removed. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Before this moment, by real time, no other process can have taken the lease. */
  get validUntil(): number {
    return this.#renewedAt + SAFE_FOR_MS;
  }

  /** False as soon as another process may have taken it. A renewal may make it true again. */
  get isValid(): boolean {
    return !this.#lost && this.#realTime.now() < this.validUntil;
  }

  /** Renews the lease until `done` aborts or it is lost. Failures are retried. Never rejects. */
  async renewUntil(done: AbortSignal): Promise<void> {
    let wait = RENEWED_AFTER_MS;
    while (!done.aborted && !this.#lost) {
      await this.#realTime.pause(wait, done);
      if (done.aborted) return;
      try {
        await this.write(this.value);
        wait = RENEWED_AFTER_MS;
      } catch {
        wait = RETRIED_AFTER_MS;
      }
    }
  }

  /**
   * Replaces the value. If the lease is lost, returns false and writes nothing. Must not be called while `renewUntil`
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
      // The version differs: another process wrote it, or this one did and the answer was lost.
      const found = await this.#store.get<Value>(this.#space, key);
      const isMine = found?.value.holder === holder && found.version !== this.#record.version;
      if (isMine) this.#record = { ...this.#record, version: found.version };
      else this.#lost = true;
    }
    return false;
  }
}
