import type { RealTime } from "@travel-booking/runtime/real-time";
import type { PutOptions, StateRecord, StateStore } from "../state-store/index.ts";
import { TERMS } from "./terms.ts";

/** A record that says who is at work on what it stands for; null: nobody. */
export interface Holding {
  readonly holder: string | null;
}

export interface HeldRecordOptions<Value extends Holding> {
  readonly store: StateStore;
  readonly space: string;
  /** As it was written with the holder's name. */
  readonly record: StateRecord<Value>;
  /** When the holder sent that write, by its real time. */
  readonly since: number;
  readonly lengthMs: number;
  readonly realTime: RealTime;
}

/** A record in the hands of this process, which keeps it by writing it again and again. */
export class HeldRecord<Value extends Holding> {
  readonly #store: StateStore;
  readonly #space: string;
  readonly #realTime: RealTime;
  readonly #lengthMs: number;
  #record: StateRecord<Value>;
  #since: number;
  #lost = false;

  constructor({ store, space, record, since, lengthMs, realTime }: HeldRecordOptions<Value>) {
    this.#store = store;
    this.#space = space;
    this.#realTime = realTime;
    this.#lengthMs = lengthMs;
    this.#record = record;
    this.#since = since;
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
  get safeUntil(): number {
    return this.#since + this.#lengthMs * TERMS.safe;
  }

  /** False as soon as somebody else may have taken it. It may become true again: when a renewal finds that nobody has. */
  get isSafe(): boolean {
    return !this.#lost && this.#realTime.now() < this.safeUntil;
  }

  /** Renews it until `done` aborts or it is lost; what fails is tried again. Never rejects. */
  async keep(done: AbortSignal): Promise<void> {
    let wait: number = TERMS.renewed;
    while (!done.aborted && !this.#lost) {
      await this.#realTime.pause(this.#lengthMs * wait, done);
      if (done.aborted) return;
      try {
        await this.write(this.value);
        wait = TERMS.renewed;
      } catch {
        wait = TERMS.retried;
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
        this.#since = since;
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
