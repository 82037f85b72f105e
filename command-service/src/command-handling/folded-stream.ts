import type { Decider, DomainEvent, Instant } from "@travel-booking/domain";
import { NO_STREAM, type RecordedEvent, START } from "@travel-booking/engines/event-store";
import { inTurns } from "./in-turns.ts";

/** The state of one stream at one revision. */
export interface FoldedStream {
  state: unknown;
  revision: number;
  position: bigint;
  /** `at` of the last event, because time in one stream never goes back. */
  lastAt: Instant;
  /** Sealed characters of the folded events, because only texts of people make a state large. */
  sealed: number;
}

/** A decider with its types forgotten. */
export type AnyDecider = Decider<unknown, unknown, DomainEvent, string>;

export function emptyStream(decider: AnyDecider): FoldedStream {
  return { state: decider.initialState(), revision: NO_STREAM, position: START, lastAt: 0, sealed: 0 };
}

/** Folds stored events in, oldest first. Many are folded in several turns of the event loop. */
export async function foldInto(
  folded: FoldedStream,
  decider: AnyDecider,
  events: readonly RecordedEvent[],
): Promise<void> {
  for await (const some of inTurns(events)) {
    for (const event of some) {
      folded.state = decider.evolve(folded.state, event);
      folded.revision = event.revision;
      folded.position = event.position;
      folded.lastAt = event.at;
      folded.sealed += event.sealed?.length ?? 0;
    }
  }
}

/** What a fold needs of a decider. */
export type Fold<State, Event extends DomainEvent> = Pick<Decider<never, State, Event>, "initialState" | "evolve">;

/** The state that the events of a stream make, which come piece by piece. */
export async function stateOf<State, Event extends DomainEvent>(
  fold: Fold<State, Event>,
  pieces: Iterable<readonly RecordedEvent[]> | AsyncIterable<readonly RecordedEvent[]>,
): Promise<State> {
  const decider = fold as unknown as AnyDecider;
  const folded = emptyStream(decider);
  for await (const events of pieces) await foldInto(folded, decider, events);
  return folded.state as State;
}

/** A copy that stays the same when the original is folded on; undefined if the decider can't copy. */
export function copyOf(decider: AnyDecider, folded: FoldedStream): FoldedStream | undefined {
  return decider.copy && { ...folded, state: decider.copy(folded.state) };
}
