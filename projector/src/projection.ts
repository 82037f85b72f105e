import type { DomainEvent } from "@travel-booking/domain";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import { type Document, type IndexEntry, type Put, positionSort, type Write } from "@travel-booking/engines/read-store";

/** A state as readers see it; by default they don't. */
interface Representation extends Partial<Pick<Document, "body" | "indexes" | "staleAt">> {
  /** Documents of other models of the projection that derive from the same state. */
  readonly derivedWrites?: readonly Write[];
}

export interface DocumentMetadata {
  readonly key: string;
  /** Position of the last event folded into it. */
  readonly position: bigint;
  /** Position of the event that created the document. */
  readonly created: bigint;
}

export interface Model {
  /**
   * The index entries of a document never change while it exists, nor `created`, and no other document ever has them.
   * Such documents are written without reading what is stored. A `Write` that deletes one has to say `fixed`: `removal`.
   */
  readonly fixedIndexes?: true;
  /**
   * For models with `FoldedState` changes: how readers see a state, if they do. Called once per batch with the last state,
   * which it must not change.
   */
  represent?(state: unknown, place: DocumentMetadata): Representation;
}

/** The new state of a document; `Model.represent` makes the rest of it when the batch is written. */
export interface FoldedState {
  readonly kind: "fold";
  readonly model: string;
  readonly key: string;
  /** JSON values only. */
  readonly state: unknown;
}

/**
 * What an event changes. A `Write` replaces or deletes a whole document at the position of the event. Models are named
 * `<projection>.<model>`.
 */
export type Change = FoldedState | Write;

export interface DocumentKey {
  readonly model: string;
  readonly key: string;
}

/** The documents of this projection before the event. */
export interface Documents {
  /**
   * The state of a document that `reads` named; undefined if there is none. A handler that changes the state must return
   * it as a `FoldedState`.
   */
  state<State>(model: string, key: string): State | undefined;
  /** Position of the event that created a document that `reads` named; undefined if there is none. */
  created(model: string, key: string): bigint | undefined;
}

/** Pure: the same event over the same documents makes the same changes, without side effects. */
export interface Handler {
  /** The documents `apply` reads; they are fetched for a whole batch at once. */
  reads?(event: RecordedEvent): readonly DocumentKey[];
  /** An event for which it throws is a poison event and stops the projection. Must not change the event. */
  apply(event: RecordedEvent, documents: Documents): readonly Change[];
}

/** Read models that are folded from the log together. */
export interface Projection {
  readonly name: string;
  /** Raise it with every change of the resulting documents: the projection is rebuilt at the next start then. */
  readonly version: number;
  /** Those of which there is more to say, by full name, `<projection>.<model>`. */
  readonly models: Readonly<Record<string, Model>>;
  /** By stream category: the part of a stream name before the first `-`. */
  readonly handlers: Readonly<Record<string, Handler>>;
}

/** A model whose documents are folded, with the type of its state. */
export function foldedModel<State>(
  represent: (state: State, place: DocumentMetadata) => Representation,
  options: Pick<Model, "fixedIndexes"> = {},
): Model {
  return { represent: (state, place) => represent(state as State, place), ...options };
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

/** The put of a whole document; the defaults fit most that are never folded on. */
export function wholeDocument(
  model: string,
  { key, position, ...rest }: Pick<Document, "key" | "position"> & Partial<Document>,
): Put {
  const { created = position, body = null, state = null, indexes = {}, staleAt = null } = rest;
  return { kind: "put", model, document: { key, position, created, body, state, indexes, staleAt } };
}

/** Places in lists that are sorted by when a document was created. @param partitions by index */
export function placesByCreation(
  created: bigint,
  partitions: Readonly<Record<string, string>>,
): Readonly<Record<string, IndexEntry>> {
  const sort = positionSort(created);
  return Object.fromEntries(Object.entries(partitions).map(([index, partition]) => [index, { partition, sort }]));
}

/** Deletes a document with fixed indexes that `reads` named. @param indexes its entries */
export function removal(
  documents: Documents,
  { model, key }: DocumentKey,
  position: bigint,
  indexes: Document["indexes"] = {},
): Write {
  return { kind: "delete", model, key, position, fixed: { created: documents.created(model, key) ?? 0n, indexes } };
}

/**
 * Folds each event into the one document of a model that it concerns.
 * @param keyOf undefined: it concerns none.
 * @param evolve the state after the event; undefined: there is no document any more.
 * @param writes further documents that the event makes.
 */
export function foldingHandler<State, Event extends DomainEvent>(
  model: string,
  keyOf: (event: Recorded<Event>) => string | undefined,
  evolve: (before: State | undefined, event: Recorded<Event>, key: string) => State | undefined,
  writes: (event: Recorded<Event>) => readonly Write[] = () => [],
): Required<Handler> {
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
      if (state === undefined) return [{ kind: "delete", model, key, position: event.position }];
      return [...writes(known), { kind: "fold", model, key, state }];
    },
  };
}
