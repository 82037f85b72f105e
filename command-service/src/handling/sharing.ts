import type { RealTime } from "@travel-booking/runtime/real-time";
import { type AnyDecider, emptyStream, type FoldableEvent, type FoldedStream } from "./folded-stream.ts";
import { WayBack } from "./way-back.ts";

/** Milliseconds of real time for which a meeting with others tells that they are there. */
const MET_FOR_MS = 2_000;
/** After so many appends without a pause others get a turn, whether or not there are any. */
const COURTESY_EVERY = 4;
/** Milliseconds of real time. */
const LONGEST_PAUSE_MS = 16;

/**
 * How one process gets on with others that write to the same stream. Whoever appends without a pause is always first,
 * since the others have to read before they can append. So all of them pause now and then for as long as they keep
 * meeting, and each has a turn; what is waiting meanwhile is decided together.
 */
export class Sharing {
  readonly #decider: AnyDecider;
  readonly #realTime: RealTime;
  readonly #random: () => number;
  #metUntil = 0;
  /** Appends without a pause in between. */
  #inARow = 0;
  #storedAt = 0;
  #conflicts = 0;
  #notBefore = 0;
  #wayBack: WayBack | undefined;

  constructor(decider: AnyDecider, realTime: RealTime, random: () => number) {
    this.#decider = decider;
    this.#realTime = realTime;
    this.#random = random;
  }

  /** Lets others have their turn. */
  async pause(): Promise<void> {
    if (this.#notBefore === 0) return;
    const rest = this.#notBefore - this.#realTime.now();
    this.#notBefore = 0;
    if (rest > 0) await this.#realTime.pause(rest);
  }

  /** The stream as far as it is known without reading it. */
  known(): FoldedStream<unknown> {
    return this.#wayBack?.take() ?? emptyStream(this.#decider);
  }

  /** The stream has been read to its end. */
  loaded(folded: FoldedStream<unknown>): void {
    if (this.#realTime.now() < this.#metUntil) this.#wayBack ??= WayBack.from(this.#decider, folded);
  }

  /** Events were read and folded. */
  read(events: readonly FoldableEvent[], folded: FoldedStream<unknown>): void {
    this.#wayBack?.add(events, folded);
  }

  /** Others turned out to have written. */
  met(): void {
    this.#metUntil = this.#realTime.now() + MET_FOR_MS;
  }

  /** They did so before an append of this process. */
  conflicted(): void {
    this.met();
    this.#conflicts += 1;
    if (this.#conflicts > 1) this.#restFor(0, Math.min(2 ** this.#conflicts, LONGEST_PAUSE_MS));
  }

  /** An append of this process came through, begun at that moment of real time. */
  stored(events: readonly FoldableEvent[], folded: FoldedStream<unknown>, begunAt: number): void {
    this.#conflicts = 0;
    const now = this.#realTime.now();
    const took = now - begunAt;
    this.#inARow = begunAt - this.#storedAt < took ? this.#inARow + 1 : 0;
    this.#storedAt = now;
    const isMet = now < this.#metUntil;
    if (isMet) this.#wayBack?.add(events, folded);
    else this.#wayBack = undefined;
    if (isMet || this.#inARow >= COURTESY_EVERY) {
      this.#inARow = 0;
      const turn = Math.min(took, LONGEST_PAUSE_MS / 2);
      this.#restFor(turn, 2 * turn);
    }
  }

  #restFor(shortest: number, longest: number): void {
    this.#notBefore = this.#realTime.now() + shortest + this.#random() * (longest - shortest);
  }
}
