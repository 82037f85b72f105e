import type { FlightNews } from "./flight-change.ts";

/** A moment, in milliseconds since 1970-01-01T00:00:00Z. The domain never reads a clock; moments are passed in. */
export type Instant = number;

/** A fact about one aggregate. `at` is the moment of the decision. Within one stream it never goes back. */
export interface DomainEvent<Type extends string = string, Data = unknown> {
  readonly type: Type;
  readonly at: Instant;
  readonly data: Data;
}

/** An order to one aggregate. Its fields take their types from the data of its event, if they are the same. */
export type Command<Type extends string, Data = unknown> = { readonly type: Type } & Data;

/** Why a command was rejected: a stable code for programs, facts for the message of the HTTP API. */
export interface Rejection<Code extends string = string> {
  readonly code: Code;
  readonly facts?: Readonly<Record<string, string | number | readonly string[]>>;
}

/**
 * The result of a command. No events and no rejection is a no-op. A rejection may come with events, because effects of
 * time (an expired hold, an overdue transfer) are recorded even if the command is rejected.
 */
export interface Decision<Event extends DomainEvent, Code extends string = string> {
  readonly events: readonly Event[];
  readonly rejection?: Rejection<Code>;
}

/**
 * The rules of one aggregate.
 *
 * `decide` must not change `state`. `evolve` may change and return it, so a caller must not use a state again after
 * folding an event into it.
 */
export interface Decider<Command, State, Event extends DomainEvent, Code extends string = string> {
  initialState(): State;
  /** @param news what is known of disrupted flights, for those whose state depends on one. */
  decide(command: Command, state: State, at: Instant, news?: FlightNews): Decision<Event, Code>;
  evolve(state: State, event: Event): State;
  /** A copy that folding events into the original does not change. Also accepts a structured clone of a state. */
  copy?(state: State): State;
  /** With `copy`: long streams get snapshots. Raise it when `evolve` makes another state of the same events. */
  readonly snapshotVersion?: number;
}

interface Message {
  readonly type: string;
}

/** A handler for each type of message, be it a command or an event. */
export type Handlers<Each extends Message, Args extends readonly unknown[], Result> = {
  readonly [Type in Each["type"]]: (message: Extract<Each, { readonly type: Type }>, ...args: Args) => Result;
};

/**
 * Calls the handler for a message's type.
 * @throws Error there is none, which only stored data of an unknown kind can cause.
 */
export function handle<Each extends Message, Args extends readonly unknown[], Result>(
  handlers: Handlers<Each, Args, Result>,
  message: Each,
  ...args: Args
): Result {
  const handler = handlers[message.type as Each["type"]] as ((message: Each, ...args: Args) => Result) | undefined;
  if (handler === undefined) throw new Error(`unhandled case: ${message.type}`);
  return handler(message, ...args);
}

export function accept<Event extends DomainEvent>(...events: readonly Event[]): Decision<Event, never> {
  return { events };
}

/** `facts` are for the message that a person reads. */
export function reject<Code extends string>(code: Code, facts?: Rejection["facts"]): Decision<never, Code> {
  return { events: [], rejection: facts === undefined ? { code } : { code, facts } };
}

/** Folds a history, oldest first. */
export function fold<State, Event extends DomainEvent>(
  decider: Pick<Decider<never, State, Event>, "initialState" | "evolve">,
  events: Iterable<Event>,
): State {
  let state = decider.initialState();
  for (const event of events) state = decider.evolve(state, event);
  return state;
}

/** For branches that the types exclude. Only stored data of an unknown kind reaches it. */
export function assertNever(value: never): never {
  throw new Error(`unhandled case: ${JSON.stringify(value)}`);
}
