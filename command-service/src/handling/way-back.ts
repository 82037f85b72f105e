import { type AnyDecider, type FoldableEvent, type FoldedStream, foldInto } from "./folded-stream.ts";

/** With so many events behind the base a new one is made: folding them again costs about as much as a copy. */
const MOST_SINCE = 1_024;

/**
 * The way back to what is stored of a stream, when something was decided on it that could not be: deciding uses up the
 * state, and reading a long stream again costs more with every event. Kept of streams that others write to as well.
 */
export class WayBack {
  readonly #decider: AnyDecider;
  #base: FoldedStream<unknown>;
  /** Stored behind the base. */
  #since: FoldableEvent[] = [];

  /** Begins at `folded`, of which it takes a copy where the decider can make one; else there is no way back. */
  static from(decider: AnyDecider, folded: FoldedStream<unknown>): WayBack | undefined {
    return decider.copy && new WayBack(decider, copyOf(decider, folded));
  }

  private constructor(decider: AnyDecider, base: FoldedStream<unknown>) {
    this.#decider = decider;
    this.#base = base;
  }

  /** What is stored of the stream from now on; `folded` has it already. */
  add(events: readonly FoldableEvent[], folded: FoldedStream<unknown>): void {
    for (const event of events) this.#since.push(event);
    if (this.#since.length > MOST_SINCE) this.#begin(folded);
  }

  /** The stream as it was after the last event that is known to be stored. */
  take(): FoldedStream<unknown> {
    const folded = this.#base;
    foldInto(folded, this.#decider, this.#since);
    this.#begin(folded);
    return folded;
  }

  #begin(folded: FoldedStream<unknown>): void {
    this.#base = copyOf(this.#decider, folded);
    this.#since = [];
  }
}

function copyOf(decider: AnyDecider, folded: FoldedStream<unknown>): FoldedStream<unknown> {
  return { ...folded, state: decider.copy?.(folded.state) };
}
