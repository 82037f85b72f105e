import type { Decider, DomainEvent, Instant } from "@travel-booking/domain";
import { NO_STREAM, type RecordedEvent, START } from "@travel-booking/engines/event-store";

/** The state of one stream at one revision. */
export interface FoldedStream<State> {
  state: State;
  revision: number;
  position: bigint;
  /** `at` of the last event: time in one stream never goes back. */
  lastAt: Instant;
}

/** A decider with its types forgotten. */
export type AnyDecider = Decider<unknown, unknown, DomainEvent, string>;

/** The part of a stored event that folding needs. */
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

/** After so many events the base is copied anew: folding them again costs about as much as a copy. */
const MAX_EVENTS_SINCE_BASE = 1_024;

/**
 * Restores the stored state of a stream after a decision that could not be appended: deciding consumes the folded state,
 * and reading a long stream again is expensive. Only for streams with contention.
 */
export class RollbackState {
  readonly #decider: AnyDecider;
  #base: FoldedStream<unknown>;
  /** Stored after the base. */
  #eventsSinceBase: FoldableEvent[] = [];

  /** Copies `folded` as the base; undefined where the decider can't copy. */
  static capture(decider: AnyDecider, folded: FoldedStream<unknown>): RollbackState | undefined {
    return decider.copy && new RollbackState(decider, copyOf(decider, folded));
  }

  private constructor(decider: AnyDecider, base: FoldedStream<unknown>) {
    this.#decider = decider;
    this.#base = base;
  }

  /** Newly stored events; `folded` contains them already. */
  addEvents(events: readonly FoldableEvent[], folded: FoldedStream<unknown>): void {
    for (const event of events) this.#eventsSinceBase.push(event);
    if (this.#eventsSinceBase.length > MAX_EVENTS_SINCE_BASE) this.#resetBase(folded);
  }

  /** The stream after the last event that is known to be stored. */
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
