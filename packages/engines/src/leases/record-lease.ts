import type { RealTime } from "@travel-booking/runtime/real-time";
import type { PutOptions, StateRecord, StateStore } from "../state-store/index.ts";

/** How long a lease stands without being renewed, in milliseconds of real time, unless told otherwise. */
export const DEFAULT_LEASE_DURATION_MS = 5_000;

/** Parts of the length of a lease after which each thing happens. */
export const LEASE_FRACTIONS = {
  /** Its holder renews it. */
  renewed: 1 / 3,
  /** A renewal that failed is tried again. */
  retried: 1 / 20,
  /** Others look whether it has become free. */
  looked: 1 / 10,
  /**
   * Its holder no longer counts on it. Others take it after the whole length, which they count from a later moment; the
   * rest is for whoever has to stop, and for clocks that do not run at quite the same pace.
   */
  safe: 9 / 10,
} as const;

/**
 * Watches a record that somebody else keeps fresh. Machines' clocks are never compared: what counts is how long, by
 * the clock of this one, the record has been seen as it is.
 */
export class VersionWatch {
  readonly #realTime: RealTime;
  #seen: string | number | undefined;
  #since = 0;

  constructor(realTime: RealTime) {
    this.#realTime = realTime;
  }

  /** Milliseconds for which the record has stood in this version; to be told of each version right after reading it. */
  unchangedForMs(version: string | number): number {
    const now = this.#realTime.now();
    if (version !== this.#seen) {
      this.#seen = version;
      this.#since = now;
    }
    return now - this.#since;
  }
}

/** A record that says who is at work on what it stands for; null: nobody. */
export interface LeaseState {
  readonly holder: string | null;
}

interface RecordLeaseOptions<Value extends LeaseState> {
  readonly store: StateStore;
  readonly space: string;
  /** As it was written with the holder's name. */
  readonly record: StateRecord<Value>;
  /** When the holder sent that write, by its real time. */
  readonly acquiredAt: number;
  readonly durationMs: number;
  readonly realTime: RealTime;
}

/** A record in the hands of this process, which keeps it by writing it again and again. */
export class RecordLease<Value extends LeaseState> {
  readonly #store: StateStore;
  readonly #space: string;
  readonly #realTime: RealTime;
  readonly #durationMs: number;
  #record: StateRecord<Value>;
  #renewedAt: number;
  #lost = false;

  constructor({ store, space, record, acquiredAt, durationMs, realTime }: RecordLeaseOptions<Value>) {
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

  /** Somebody else has taken it, or it is gone. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** The moment by real time until which nobody else can have taken it. */
  get validUntil(): number {
    return this.#renewedAt + this.#durationMs * LEASE_FRACTIONS.safe;
  }

  /** False as soon as somebody else may have taken it. It may become true again: when a renewal finds that nobody has. */
  get isValid(): boolean {
    return !this.#lost && this.#realTime.now() < this.validUntil;
  }

  /** Renews it until `done` aborts or it is lost; what fails is tried again. Never rejects. */
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
   * Writes a value over the one that is held; false, and nothing is written, where the record is lost. Not to be called
   * while `keep` is at work.
   * @throws StateStoreUnavailable the outcome is unknown; the record may still be held.
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
      // Another version: by somebody else, or by a write of this process of which it never heard.
      const found = await this.#store.get<Value>(this.#space, key);
      const isMine = found?.value.holder === holder && found.version !== this.#record.version;
      if (isMine) this.#record = { ...this.#record, version: found.version };
      else this.#lost = true;
    }
    return false;
  }
}
