import type { RealTime } from "@travel-booking/runtime/real-time";
import { type AnyDecider, copyOf, type FoldedStream } from "./folded-stream.ts";

/** Real time after a conflict in which other writers are assumed to be active. */
const CONTENTION_WINDOW_MS = 2_000;
/** After so many appends without a pause, other writers get a turn, even if there are none. */
const YIELD_EVERY_APPENDS = 4;
/** Real time. */
const MAX_BACKOFF_MS = 16;

/**
 * Fairness between processes that write to the same stream. A process that appends without a pause always wins, because
 * the others have to read before they can append. So under contention each process pauses now and then. Commands that
 * arrive meanwhile are decided together.
 */
export class ContentionBackoff {
  readonly #realTime: RealTime;
  readonly #random: () => number;
  #contendedUntil = 0;
  /** Appends without a pause between them. */
  #consecutiveAppends = 0;
  #appendedAt = 0;
  #conflicts = 0;
  #notBefore = 0;
  /**
   * The stream as last read. It is kept because a decision that can't be appended uses up the folded state, and reading
   * a long stream again is expensive.
   */
  #lastRead: FoldedStream | undefined;

  constructor(realTime: RealTime, random: () => number) {
    this.#realTime = realTime;
    this.#random = random;
  }

  /** Gives other writers their turn. */
  async wait(): Promise<void> {
    if (this.#notBefore === 0) return;
    const rest = this.#notBefore - this.#realTime.now();
    this.#notBefore = 0;
    if (rest > 0) await this.#realTime.pause(rest);
  }

  /** The folded stream to go on from; undefined: the stream must be read from its beginning. */
  takeLastRead(): FoldedStream | undefined {
    const lastRead = this.#lastRead;
    this.#lastRead = undefined;
    return lastRead;
  }

  /** The stream has been read to its end. */
  onLoaded(folded: FoldedStream, decider: AnyDecider): void {
    if (this.#isContended()) this.#lastRead = copyOf(decider, folded);
  }

  /** Another writer has appended. */
  onContention(): void {
    this.#contendedUntil = this.#realTime.now() + CONTENTION_WINDOW_MS;
  }

  /** Another writer appended first: an append of this process failed. */
  onConflict(): void {
    this.onContention();
    this.#conflicts += 1;
    if (this.#conflicts > 1) this.#backOff(0, Math.min(2 ** this.#conflicts, MAX_BACKOFF_MS));
  }

  /** An append of this process, begun at `begunAt` (real time), succeeded. */
  onAppended(begunAt: number): void {
    this.#conflicts = 0;
    const now = this.#realTime.now();
    const took = now - begunAt;
    this.#consecutiveAppends = begunAt - this.#appendedAt < took ? this.#consecutiveAppends + 1 : 0;
    this.#appendedAt = now;
    const contended = this.#isContended();
    if (!contended) this.#lastRead = undefined;
    if (contended || this.#consecutiveAppends >= YIELD_EVERY_APPENDS) {
      this.#consecutiveAppends = 0;
      const turn = Math.min(took, MAX_BACKOFF_MS / 2);
      this.#backOff(turn, 2 * turn);
    }
  }

  #isContended(): boolean {
    return this.#realTime.now() < this.#contendedUntil;
  }

  #backOff(shortest: number, longest: number): void {
    this.#notBefore = this.#realTime.now() + shortest + this.#random() * (longest - shortest);
  }
}
