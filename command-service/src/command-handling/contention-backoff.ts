import type { RealTime } from "@travel-booking/runtime/real-time";
import { type AnyDecider, emptyStream, type FoldableEvent, type FoldedStream, RollbackState } from "./folded-stream.ts";

/** Milliseconds of real time for which a meeting with others tells that they are there. */
const CONTENTION_WINDOW_MS = 2_000;
/** After so many appends without a pause others get a turn, whether or not there are any. */
const YIELD_EVERY_APPENDS = 4;
/** Milliseconds of real time. */
const MAX_BACKOFF_MS = 16;

/**
 * How one process gets on with others that write to the same stream. Whoever appends without a pause is always first,
 * since the others have to read before they can append. So all of them pause now and then for as long as they keep
 * meeting, and each has a turn; what is waiting meanwhile is decided together.
 */
export class ContentionBackoff {
  readonly #decider: AnyDecider;
  readonly #realTime: RealTime;
  readonly #random: () => number;
  #contendedUntil = 0;
  /** Appends without a pause in between. */
  #consecutiveAppends = 0;
  #appendedAt = 0;
  #conflicts = 0;
  #notBefore = 0;
  #rollback: RollbackState | undefined;

  constructor(decider: AnyDecider, realTime: RealTime, random: () => number) {
    this.#decider = decider;
    this.#realTime = realTime;
    this.#random = random;
  }

  /** Lets others have their turn. */
  async wait(): Promise<void> {
    if (this.#notBefore === 0) return;
    const rest = this.#notBefore - this.#realTime.now();
    this.#notBefore = 0;
    if (rest > 0) await this.#realTime.pause(rest);
  }

  /** The stream as far as it is known without reading it. */
  lastKnownStream(): FoldedStream<unknown> {
    return this.#rollback?.restore() ?? emptyStream(this.#decider);
  }

  /** The stream has been read to its end. */
  onLoaded(folded: FoldedStream<unknown>): void {
    if (this.#realTime.now() < this.#contendedUntil) this.#rollback ??= RollbackState.capture(this.#decider, folded);
  }

  /** Events were read and folded. */
  onRead(events: readonly FoldableEvent[], folded: FoldedStream<unknown>): void {
    this.#rollback?.addEvents(events, folded);
  }

  /** Others turned out to have written. */
  onContention(): void {
    this.#contendedUntil = this.#realTime.now() + CONTENTION_WINDOW_MS;
  }

  /** They did so before an append of this process. */
  onConflict(): void {
    this.onContention();
    this.#conflicts += 1;
    if (this.#conflicts > 1) this.#backOff(0, Math.min(2 ** this.#conflicts, MAX_BACKOFF_MS));
  }

  /** An append of this process came through, begun at that moment of real time. */
  onAppended(events: readonly FoldableEvent[], folded: FoldedStream<unknown>, begunAt: number): void {
    this.#conflicts = 0;
    const now = this.#realTime.now();
    const took = now - begunAt;
    this.#consecutiveAppends = begunAt - this.#appendedAt < took ? this.#consecutiveAppends + 1 : 0;
    this.#appendedAt = now;
    const isMet = now < this.#contendedUntil;
    if (isMet) this.#rollback?.addEvents(events, folded);
    else this.#rollback = undefined;
    if (isMet || this.#consecutiveAppends >= YIELD_EVERY_APPENDS) {
      this.#consecutiveAppends = 0;
      const turn = Math.min(took, MAX_BACKOFF_MS / 2);
      this.#backOff(turn, 2 * turn);
    }
  }

  #backOff(shortest: number, longest: number): void {
    this.#notBefore = this.#realTime.now() + shortest + this.#random() * (longest - shortest);
  }
}
