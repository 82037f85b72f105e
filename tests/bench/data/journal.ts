import type { Decider, DomainEvent } from "@travel-booking/domain";
import { type EventMetadata, type EventToAppend, NO_STREAM } from "@travel-booking/engines/event-store";
import { commandIdGenerator, commandStep, eventId } from "@travel-booking/runtime";

/** One append: what one command leaves in its stream. */
export interface Append {
  readonly stream: string;
  readonly expectedRevision: number;
  readonly events: readonly EventToAppend[];
}

export interface BenchAccount {
  readonly accountId: string;
  readonly credentialId: string;
  readonly apiKey: string;
  /** What is read with it does not wait for what was written with the other. */
  readonly readerKey: string;
}

/** A request of an account. Its steps are the commands that follow from it. */
export interface Request {
  readonly commandId: string;
  readonly account: BenchAccount;
}

interface Stream {
  state: unknown;
  revision: number;
}

/** Commands decided by the domain on streams in memory, as the service would record them at a time of its own. */
export class Journal {
  now: number;
  readonly #ids = commandIdGenerator({ now: () => this.now });
  readonly #streams = new Map<string, Stream>();
  #decided: Append[] = [];

  constructor(startsAt: number) {
    this.now = startsAt;
  }

  nextCommandId(): string {
    return this.#ids.next();
  }

  request(account: BenchAccount): Request {
    return { commandId: this.nextCommandId(), account };
  }

  /**
   * Decides the n-th step of a request; answers its events.
   * @throws Error it was rejected.
   */
  decide<Command, State, Event extends DomainEvent, Code extends string>(
    stream: string,
    decider: Decider<Command, State, Event, Code>,
    command: Command,
    { commandId, account }: Request,
    step = 0,
  ): readonly Event[] {
    const known = this.#streams.get(stream) ?? { state: decider.initialState(), revision: NO_STREAM };
    this.#streams.set(stream, known);
    const { events, rejection } = decider.decide(command, known.state as State, this.now);
    if (rejection !== undefined) throw new Error(`${stream} refused: ${JSON.stringify({ command, rejection })}`);
    if (events.length === 0) return events;
    const stepId = commandStep(commandId, step);
    const metadata: EventMetadata = {
      accountId: account.accountId,
      actor: { kind: "credential", id: account.credentialId },
      requestId: commandId,
      commandId: stepId,
      causationId: null,
    };
    this.#decided.push({
      stream,
      expectedRevision: known.revision,
      events: events.map(({ type, at, data }, index) => {
        return { id: eventId(stepId, index), type, version: 1, at, data, metadata };
      }),
    });
    known.revision += events.length;
    for (const event of events) known.state = decider.evolve(known.state as State, event);
    return events;
  }

  /** Nothing more will be decided on this stream. */
  forget(stream: string): void {
    this.#streams.delete(stream);
  }

  /** What was decided since the last call, in order. */
  take(): readonly Append[] {
    const decided = this.#decided;
    this.#decided = [];
    return decided;
  }
}
