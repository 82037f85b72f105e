import type { Clock } from "./clock.ts";

/** Where the offset of a sandbox clock is kept, in milliseconds. */
export interface ClockOffsetStore {
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
  #advancing: Promise<unknown> = Promise.resolve();

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
   * Moves time forward by so many milliseconds. The offset is stored before anybody sees it, so a crash never turns
   * time back.
   * @throws RangeError less than nothing, or not a whole number.
   */
  advance(milliseconds: number): Promise<void> {
    if (!Number.isSafeInteger(milliseconds) || milliseconds < 0) throw new RangeError("time does not go back");
    return this.#oneAtATime(() => this.#raiseTo(this.#offset + milliseconds));
  }

  /** Moves time forward to this moment (milliseconds since the epoch); does nothing where it has passed already. */
  advanceTo(moment: number): Promise<void> {
    return this.#oneAtATime(() => this.#raiseTo(Math.ceil(moment - this.#base.now())));
  }

  /** Takes over what another process has stored. */
  refresh(): Promise<void> {
    return this.#oneAtATime(async () => {
      this.#offset = Math.max(this.#offset, (await this.#store.load()) ?? 0);
    });
  }

  async #raiseTo(offset: number): Promise<void> {
    if (offset <= this.#offset) return;
    await this.#store.store(offset);
    this.#offset = offset;
  }

  #oneAtATime(step: () => Promise<void>): Promise<void> {
    const done = this.#advancing.then(step);
    this.#advancing = done.catch(() => undefined);
    return done;
  }
}
