import type { DomainEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { Document, Write } from "@travel-booking/engines/read-store";

/** What readers get to see of a state. */
interface Representation extends Pick<Document, "body" | "indexes" | "staleAt"> {
  /** Documents of other models of the projection that follow from the same state. */
  readonly derivedWrites?: readonly Write[];
}

/** Which document. */
export interface DocumentMetadata {
  readonly key: string;
  /** Of the last event folded into it. */
  readonly position: bigint;
  /** Position of the event that made the document. */
  readonly created: bigint;
}

export interface Model {
  /** Every index its documents stand in. */
  readonly indexes: readonly string[];
  /**
   * For models whose documents are written by `Fold`: how a state is shown. Made once per batch, from the last state;
   * may not change it.
   */
  represent?(state: unknown, place: DocumentMetadata): Representation;
}

/** The document has this state now; `Model.represent` makes the rest of it when the batch is written. */
interface FoldedState {
  readonly kind: "fold";
  readonly model: string;
  readonly key: string;
  /** JSON values only. */
  readonly state: unknown;
}

/**
 * What an event changes. A `Write` is the whole document, or its end, at the position of this event; for documents
 * that are made per event. Models are named `<projection>.<model>`.
 */
export type Change = FoldedState | Write;

interface DocumentKey {
  readonly model: string;
  readonly key: string;
}

/** The documents of this projection, as the events before left them. */
export interface Documents {
  /**
   * The state of a document that `reads` named; undefined where there is none. Who evolves it consumes it, and must
   * answer it as a `Fold`.
   */
  state<State>(model: string, key: string): State | undefined;
  /**
   * Whether a document that `reads` named holds this event already. Where writing has no transactions a batch may be
   * stored in part; what is folded is stored last, so all that came of the event is there, too.
   */
  hasApplied(model: string, key: string): boolean;
  /** Position of the event that made a document that `reads` named; undefined where there is none. */
  created(model: string, key: string): bigint | undefined;
}

/** Pure: the same event over the same documents makes the same changes, and nothing else happens. */
export interface Handler {
  /** The documents `apply` may ask for; they are fetched for a whole batch at once. */
  reads?(event: RecordedEvent): readonly DocumentKey[];
  /** What throws here is a poison event: the projection stops at it. May not change the event. */
  apply(event: RecordedEvent, documents: Documents): readonly Change[];
}

/** Read models that are folded from the log together. */
export interface Projection {
  readonly name: string;
  /** Counted up with every change of what it makes of the same events: it is built anew at the next start. */
  readonly version: number;
  /** By full name, `<projection>.<model>`. */
  readonly models: Readonly<Record<string, Model>>;
  /** By stream category: what stands before the first `-` of a stream's name. */
  readonly handlers: Readonly<Record<string, Handler>>;
}

/** A model whose documents are folded; keeps the type of its state. */
export function foldedModel<State>(
  indexes: readonly string[],
  represent: (state: State, place: DocumentMetadata) => Representation,
): Model {
  return { indexes, represent: (state, place) => represent(state as State, place) };
}

export function categoryOf(stream: string): string {
  const end = stream.indexOf("-");
  return end < 0 ? stream : stream.slice(0, end);
}

/** An event of a known aggregate as the log holds it. */
export type Recorded<Event extends DomainEvent> = Omit<RecordedEvent, "type" | "at" | "data"> & Event;

/** The log's own event, typed by the aggregate its stream belongs to. */
export function recorded<Event extends DomainEvent>(event: RecordedEvent): Recorded<Event> {
  return event as RecordedEvent & Event;
}

/** The id in a stream's name: what stands behind the first `-`. */
export function aggregateIdOf({ stream }: Pick<RecordedEvent, "stream">): string {
  return stream.slice(stream.indexOf("-") + 1);
}

/** What differs between documents that are written whole and never folded on. */
interface WholeDocument extends Pick<Document, "key" | "position"> {
  /** Position of the event that made it, where that is an earlier one. */
  readonly created?: bigint;
  readonly body?: string;
  readonly state?: unknown;
  readonly indexes?: Document["indexes"];
  readonly staleAt?: number | null;
}

export function wholeDocument(model: string, document: WholeDocument): Write {
  const { position, created = position, body = null, state = null, indexes = {}, staleAt = null } = document;
  return { kind: "put", model, document: { key: document.key, position, created, body, state, indexes, staleAt } };
}
