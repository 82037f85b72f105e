import type { DomainEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { type Document, type IndexEntry, positionSort } from "@travel-booking/engines/read-store";
import type { OpenDocument } from "@travel-booking/read-models/sealed-words";

/** A document as readers see it; by default they don't. `state`: what is stored of the state, where that is not the state itself. */
export type Representation = Partial<Pick<OpenDocument, "body" | "indexes" | "staleAt" | "state" | "foundBy">>;

export interface Model {
  /**
   * The index entries of a document never change while it exists, nor `created`, and no other document ever has them.
   * Such documents are written without reading what is stored.
   */
  readonly fixedIndexes?: true;
  /**
   * What of a document follows from its state. Called once per batch with the last state, which it must not change, and to
   * tell the places of a document with fixed indexes that is deleted.
   */
  represent?(state: unknown, document: Pick<Document, "key" | "created">): Representation;
}

export interface DocumentKey {
  /** `<projection>.<model>` */
  readonly model: string;
  readonly key: string;
}

/** The whole document as it is after an event, but for what `Model.represent` makes of its state. What is left out is null, or none. */
export interface DocumentPut extends DocumentKey, Omit<Representation, "state"> {
  readonly kind: "put";
  /** What is folded on; JSON values only. */
  readonly state?: unknown;
  /** By default a document with a state keeps it while it exists; else it is the position of the event. */
  readonly created?: bigint;
}

/** There is no document after an event. With fixed indexes `reads` must have named it, whether there was one or not. */
export interface DocumentDelete extends DocumentKey {
  readonly kind: "delete";
  /** Its places, if they are fixed and `Model.represent` does not tell them. */
  readonly indexes?: Representation["indexes"];
}

/** What an event changes. */
export type Change = DocumentPut | DocumentDelete;

/** The documents of this projection before the event. */
export interface Documents {
  /** The state of a document that `reads` named; undefined if there is none. A handler that changes it must return a `DocumentPut`. */
  state<State>(model: string, key: string): State | undefined;
}

/** Pure: the same event over the same documents makes the same changes, without side effects. */
export interface Handler {
  /** The documents `apply` reads; they are fetched for a whole batch at once. */
  reads(event: RecordedEvent): readonly DocumentKey[];
  /** An event for which it throws is a poison event and stops the projection. Must not change the event. */
  apply(event: RecordedEvent, documents: Documents): readonly Change[];
}

/** Read models that are folded from the log together. */
export interface Projection {
  readonly name: string;
  /** Raise it with every change of the resulting documents: the projection is rebuilt at the next start then. */
  readonly version: number;
  /** Models with options, by full name: `<projection>.<model>`. */
  readonly models: Readonly<Record<string, Model>>;
  /** By stream category: the part of a stream name before the first `-`. */
  readonly handlers: Readonly<Record<string, Handler>>;
}

/** Models with fixed indexes, of which there is no more to say. */
export function fixedModels(...models: readonly { readonly model: string }[]): Readonly<Record<string, Model>> {
  return Object.fromEntries(models.map(({ model }) => [model, { fixedIndexes: true }]));
}

/** The part of a stream name before the first `-`. */
export function categoryOf(stream: string): string {
  const end = stream.indexOf("-");
  return end < 0 ? stream : stream.slice(0, end);
}

/** A recorded event with the type of its aggregate. */
export type Recorded<Event extends DomainEvent> = Omit<RecordedEvent, "type" | "at" | "data"> & Event;

export function recorded<Event extends DomainEvent>(event: RecordedEvent): Recorded<Event> {
  return event as RecordedEvent & Event;
}

/** The id of the aggregate: the part of a stream name behind the first `-`. */
export function aggregateIdOf({ stream }: Pick<RecordedEvent, "stream">): string {
  return stream.slice(stream.indexOf("-") + 1);
}

/** Places in lists that are sorted by when a document was created. @param partitions by index */
export function placesByCreation(
  created: bigint,
  partitions: Readonly<Record<string, string>>,
): Readonly<Record<string, IndexEntry>> {
  const sort = positionSort(created);
  return Object.fromEntries(Object.entries(partitions).map(([index, partition]) => [index, { partition, sort }]));
}

/**
 * Folds each event into the one document of a model that it concerns.
 * @param keyOf undefined: it concerns none.
 * @param evolve the state after the event; undefined: there is no document any more.
 * @param puts further documents that the event makes or changes.
 */
export function foldingHandler<State, Event extends DomainEvent>(
  model: string,
  keyOf: (event: Recorded<Event>) => string | undefined,
  evolve: (before: State | undefined, event: Recorded<Event>, key: string) => State | undefined,
  puts: (event: Recorded<Event>, state: State) => readonly DocumentPut[] = () => [],
): Handler {
  return {
    reads(event) {
      const key = keyOf(recorded<Event>(event));
      return key === undefined ? [] : [{ model, key }];
    },
    apply(event, documents) {
      const known = recorded<Event>(event);
      const key = keyOf(known);
      if (key === undefined) return [];
      const state = evolve(documents.state<State>(model, key), known, key);
      if (state === undefined) return [{ kind: "delete", model, key }];
      return [...puts(known, state), { kind: "put", model, key, state }];
    },
  };
}
