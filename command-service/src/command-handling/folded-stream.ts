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
