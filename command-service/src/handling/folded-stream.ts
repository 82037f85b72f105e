import type { Decider, DomainEvent, Instant } from "@travel-booking/domain";
import { type EventStore, NO_STREAM, type RecordedEvent, START } from "@travel-booking/event-store";

/** The state of one stream at one revision, as this process knows it. */
export interface FoldedStream<State> {
  state: State;
  revision: number;
  position: bigint;
  /** When the last event was decided: time in one stream never goes back. */
  lastAt: Instant;
}

type Evolver<State, Event extends DomainEvent> = Pick<Decider<never, State, Event>, "initialState" | "evolve">;

export function emptyStream<State, Event extends DomainEvent>(decider: Evolver<State, Event>): FoldedStream<State> {
  return { state: decider.initialState(), revision: NO_STREAM, position: START, lastAt: 0 };
}

/** Folds recorded events in, oldest first. */
export function foldInto<State, Event extends DomainEvent>(
  folded: FoldedStream<State>,
  decider: Evolver<State, Event>,
  events: readonly RecordedEvent[],
): void {
  for (const event of events) {
    folded.state = decider.evolve(folded.state, event as unknown as Event);
    folded.revision = event.revision;
    folded.position = event.position;
    folded.lastAt = event.at;
  }
}

export async function readFolded<State, Event extends DomainEvent>(
  store: EventStore,
  stream: string,
  decider: Evolver<State, Event>,
): Promise<FoldedStream<State>> {
  const folded = emptyStream(decider);
  foldInto(folded, decider, await store.readStream(stream));
  return folded;
}
