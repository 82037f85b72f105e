import { expect } from "@jest/globals";
import { type Decider, type DomainEvent, fold, type Instant, type Rejection } from "../../src/index.ts";

export interface Outcome<Event extends DomainEvent, Code extends string> {
  /** Accepted, with exactly these events; none for a no-op. */
  then(events: readonly Event[]): void;
  /** Refused for this reason, facts included where a whole rejection is given; `events` had lapsed by then. */
  thenRejected(reason: Code | Rejection<Code>, events?: readonly Event[]): void;
}

export interface Given<Command, State, Event extends DomainEvent, Code extends string> {
  when(command: Command, at: Instant): Outcome<Event, Code>;
  /** What the events fold to. */
  state(): State;
}

/** given(events).when(command, at).then(events): the decider alone, compared strictly; deciding must leave the state as it was. */
export function specification<Command, State, Event extends DomainEvent, Code extends string>(
  decider: Decider<Command, State, Event, Code>,
): (events: readonly Event[]) => Given<Command, State, Event, Code> {
  return (events) => ({
    state: () => fold(decider, events),
    when(command, at) {
      const state = fold(decider, events);
      const decision = decider.decide(command, state, at);
      expect(state).toStrictEqual(fold(decider, events));
      return {
        // biome-ignore lint/suspicious/noThenProperty: the word of the specification; nobody awaits it
        then(expected) {
          expect({ events: decision.events, rejection: decision.rejection }).toStrictEqual({
            events: expected,
            rejection: undefined,
          });
        },
        thenRejected(reason, lapsed = []) {
          const rejection = typeof reason === "string" ? decision.rejection?.code : decision.rejection;
          expect({ events: decision.events, rejection }).toStrictEqual({ events: lapsed, rejection: reason });
        },
      };
    },
  });
}
