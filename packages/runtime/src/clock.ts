import { Mutex } from "./real-time.ts";

/** The service's time. Leases and I/O time-outs do not use it: they run on real time. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still until it is set; for tests. */
export class ManualClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(now: number): void {
    if (now < this.#now) throw new RangeError("time does not go back");
    this.#now = now;
  }

  advance(milliseconds: number): void {
    this.set(this.#now + milliseconds);
  }
}

/** Stores the offset of a sandbox clock, in milliseconds. */
interface ClockOffsetStore {
  /** Undefined: never stored. */
  load(): Promise<number | undefined>;
  /** Durable when it resolves. */
  store(offset: number): Promise<void>;
}

/** Real time plus an offset that only ever grows and survives restarts. */
export class SandboxClock implements Clock {
  readonly #base: Clock;
  readonly #store: ClockOffsetStore;
  #offset: number;
  readonly #mutex = new Mutex();

  private constructor(base: Clock, store: ClockOffsetStore, offset: number) {
    this.#base = base;
    this.#store = store;
    this.#offset = offset;
  }

  static async open(base: Clock, store: ClockOffsetStore): Promise<SandboxClock> {
    return new SandboxClock(base, store, (await store.load()) ?? 0);
  }

  now(): number {
    return this.#base.now() + this.#offset;
  }

  /** Milliseconds ahead of real time. */
  get offset(): number {
    return this.#offset;
  }

  /**
   * Moves time forward by so many milliseconds. The offset is stored before it is visible, so a crash never turns time
   * back.
   * @throws RangeError negative, or not a whole number.
   */
  advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) throw new RangeError("time does not go back");
    return this.#mutex.runExclusive(() => this.#raiseTo(this.#offset + milliseconds));
  }

  /** Moves time forward to this moment (milliseconds since the epoch); does nothing if it has passed. */
  advanceTo(moment: number): Promise<void> {
    return this.#mutex.runExclusive(() => this.#raiseTo(Math.ceil(moment - this.#base.now())));
  }

  /** Loads the offset that another process may have stored. */
  refresh(): Promise<void> {
    return this.#mutex.runExclusive(async () => {
      this.#offset = Math.max(this.#offset, (await this.#store.load()) ?? 0);
    });
  }

  async #raiseTo(offset: number): Promise<void> {
    if (offset <= this.#offset) return;
    await this.#store.store(offset);
    this.#offset = offset;
  }
}
