import type { Decider, DomainEvent, Instant } from "@travel-booking/domain";
import { NO_STREAM, type RecordedEvent, START } from "@travel-booking/engines/event-store";

/** The state of one stream at one revision, as this process knows it. */
export interface FoldedStream<State> {
  state: State;
  revision: number;
  position: bigint;
  /** When the last event was decided: time in one stream never goes back. */
  lastAt: Instant;
}

/** A decider with its types forgotten. */
export type AnyDecider = Decider<unknown, unknown, DomainEvent, string>;

/** As much of a stored event as it takes to fold it. */
export type FoldableEvent = Pick<RecordedEvent, "type" | "at" | "data" | "revision" | "position">;

type Evolver<State, Event extends DomainEvent> = Pick<Decider<never, State, Event>, "initialState" | "evolve">;

export function emptyStream<State, Event extends DomainEvent>(decider: Evolver<State, Event>): FoldedStream<State> {
  return { state: decider.initialState(), revision: NO_STREAM, position: START, lastAt: 0 };
}

/** Folds stored events in, oldest first. */
export function foldInto<State, Event extends DomainEvent>(
  folded: FoldedStream<State>,
  decider: Evolver<State, Event>,
  events: readonly FoldableEvent[],
): void {
  for (const event of events) {
    folded.state = decider.evolve(folded.state, event as unknown as Event);
    folded.revision = event.revision;
    folded.position = event.position;
    folded.lastAt = event.at;
  }
}

/** With so many events behind the base a new one is made: folding them again costs about as much as a copy. */
const MAX_EVENTS_SINCE_BASE = 1_024;

/**
 * The way back to what is stored of a stream, when something was decided on it that could not be: deciding uses up the
 * state, and reading a long stream again costs more with every event. Kept of streams that others write to as well.
 */
export class RollbackState {
  readonly #decider: AnyDecider;
  #base: FoldedStream<unknown>;
  /** Stored behind the base. */
  #eventsSinceBase: FoldableEvent[] = [];

  /** Begins at `folded`, of which it takes a copy where the decider can make one; else there is no way back. */
  static capture(decider: AnyDecider, folded: FoldedStream<unknown>): RollbackState | undefined {
    return decider.copy && new RollbackState(decider, copyOf(decider, folded));
  }

  private constructor(decider: AnyDecider, base: FoldedStream<unknown>) {
    this.#decider = decider;
    this.#base = base;
  }

  /** What is stored of the stream from now on; `folded` has it already. */
  addEvents(events: readonly FoldableEvent[], folded: FoldedStream<unknown>): void {
    for (const event of events) this.#eventsSinceBase.push(event);
    if (this.#eventsSinceBase.length > MAX_EVENTS_SINCE_BASE) this.#resetBase(folded);
  }

  /** The stream as it was after the last event that is known to be stored. */
  restore(): FoldedStream<unknown> {
    const folded = this.#base;
    foldInto(folded, this.#decider, this.#eventsSinceBase);
    this.#resetBase(folded);
    return folded;
  }

  #resetBase(folded: FoldedStream<unknown>): void {
    this.#base = copyOf(this.#decider, folded);
    this.#eventsSinceBase = [];
  }
}

function copyOf(decider: AnyDecider, folded: FoldedStream<unknown>): FoldedStream<unknown> {
  return { ...folded, state: decider.copy?.(folded.state) };
}
