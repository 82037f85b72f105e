import type { Delete, Document } from "@travel-booking/engines/read-store";
import { type OpenPut, WORDS_OF_MODELS } from "@travel-booking/read-models/sealed-words";
import { RecentMap } from "@travel-booking/runtime/recent-map";
import type {
  Change,
  DocumentDelete,
  DocumentKey,
  DocumentPut,
  Documents,
  Model,
  Representation,
} from "./projection.ts";

/** Of the written documents of a model so much stays cached, at most twice as much: little, because the garbage collector copies it. */
const MAX_CACHED_BYTES = 8 * 1_024 * 1_024;
/** A cache whose documents that were used since the last write have about so many characters is full. */
const MAX_CHARACTERS = 16 * 1_024 * 1_024;
/** What a document counts besides its size: 512 small ones stay. */
const BYTES_EACH = 16 * 1_024;

interface Entry {
  /** About the characters of it: as it was read, and what was folded in since. */
  size: number;
  /** Undefined if there is no document. */
  state: unknown;
  created: bigint;
  position: bigint;
  /** It was last used in this batch. */
  batch: number;
  /** Of the key that its personal words are sealed under. */
  keyId: string | undefined;
  /** What to write. */
  pending: DocumentPut | Delete | undefined;
}

/**
 * The documents a projection works on; a write-back cache. Written documents stay cached at least until the next but one
 * batch is taken, so folding may continue while a batch is being written.
 */
export class DocumentCache implements Documents {
  readonly #models: Readonly<Record<string, Model>>;
  readonly #entries = new Map<string, RecentMap<Entry>>();
  #pending: Entry[] = [];
  /** Deletes of documents that were made anew in the same batch. */
  #deletes: Delete[] = [];
  /** How often writes were taken. */
  #batch = 0;
  /** About the characters of the documents that were used since. */
  #characters = 0;
  #position: bigint;
  /** What was created behind it is not stored. */
  #written: bigint;

  /** @param written everything up to there is stored. */
  constructor(models: Readonly<Record<string, Model>>, written: bigint) {
    this.#models = models;
    this.#position = written;
    this.#written = written;
  }

  state<State>(model: string, key: string): State | undefined {
    return this.#read(model, key).state as State | undefined;
  }

  /** Of the key that the words of a document that `reads` named are sealed under; undefined also where its state has none. */
  keyId({ model, key }: DocumentKey): string | undefined {
    return WORDS_OF_MODELS[model]?.state && this.#read(model, key).keyId;
  }

  /** What is folded should be written before more is. */
  get isFull(): boolean {
    return this.#characters >= MAX_CHARACTERS;
  }

  /** A document that is there is used, and stays. */
  has(model: string, key: string): boolean {
    const entry = this.#entriesOf(model).get(key);
    if (entry !== undefined && entry.batch < this.#batch) this.#use(entry);
    return entry !== undefined;
  }

  putFetched(model: string, key: string, document: Document | undefined): void {
    const { state, created = 0n, position = 0n, keyId, size = 0 } = document ?? {};
    const entry = { state, created, position, keyId, size, batch: 0, pending: undefined };
    this.#entriesOf(model).set(key, entry);
    this.#use(entry);
  }

  /**
   * @param position of the event; never decreases.
   * @param keyId of the key of whom the event is about.
   * @param size about the characters that the event adds.
   */
  apply(position: bigint, change: Change, keyId?: string, size = 0): void {
    const { kind, model, key } = change;
    this.#position = position;
    // Its places are not stored, so there has to be a state that tells them.
    if (kind === "delete" && this.#isFixed(model) && this.#read(model, key).state === undefined) return;
    const entry = this.#entryOf(model, key);
    const { pending } = entry;
    if (pending === undefined) this.#pending.push(entry);
    entry.position = position;
    entry.size += size;
    this.#entriesOf(model).grow(size);
    this.#characters += size;
    if (keyId !== undefined) entry.keyId = keyId;
    if (kind === "delete") {
      entry.pending = this.#deleteOf(entry, change);
      entry.state = undefined;
      return;
    }
    // A document with fixed indexes is deleted before it is made anew: its entries may differ then.
    if (pending?.kind === "delete" && pending.fixed !== undefined && pending.fixed.created <= this.#written) {
      this.#deletes.push(pending);
    }
    const isKnown = (entry.state ?? null) !== null;
    entry.created = change.created ?? (isKnown ? entry.created : position);
    entry.state = change.state ?? null;
    entry.pending = change;
  }

  /** The pending writes. They count as written from now on. */
  takeWrites(): (OpenPut | Delete)[] {
    const writes: (OpenPut | Delete)[] = this.#deletes;
    for (const entry of this.#pending) {
      const { pending } = entry;
      entry.pending = undefined;
      if (pending !== undefined) writes.push(pending.kind === "put" ? this.#putOf(entry, pending) : pending);
    }
    this.#pending = [];
    this.#deletes = [];
    this.#batch += 1;
    this.#characters = 0;
    this.#written = this.#position;
    for (const entries of this.#entries.values()) entries.trim();
    return writes;
  }

  #putOf(entry: Entry, change: DocumentPut): OpenPut {
    const { model, key } = change;
    const shown = this.#represent(entry, change);
    const { body = change.body ?? null, indexes = change.indexes ?? {}, staleAt = change.staleAt ?? null } = shown;
    const { position, created, keyId } = entry;
    const { state = entry.state, foundBy } = shown;
    const document = { key, position, created, body, state, indexes, staleAt, keyId, foundBy };
    return this.#isFixed(model)
      ? { kind: "put", model, document, fixedIndexes: true }
      : { kind: "put", model, document };
  }

  #deleteOf(entry: Entry, { model, key, ...told }: DocumentDelete): Delete {
    const { position, created } = entry;
    if (!this.#isFixed(model)) return { kind: "delete", model, key, position };
    const { indexes = told.indexes ?? {} } = this.#represent(entry, { model, key });
    return { kind: "delete", model, key, position, fixed: { created, indexes } };
  }

  #represent({ state, created }: Entry, { model, key }: DocumentKey): Representation {
    return this.#models[model]?.represent?.(state, { key, created }) ?? {};
  }

  #isFixed(model: string): boolean {
    return this.#models[model]?.fixedIndexes === true;
  }

  #use(entry: Entry): void {
    entry.batch = this.#batch;
    // One document alone, whose size is only estimated as it grows, must not fill the cache again and again.
    this.#characters += Math.min(entry.size, MAX_CHARACTERS / 4);
  }

  #read(model: string, key: string): Entry {
    const entry = this.#entriesOf(model).get(key);
    if (entry === undefined) throw new Error(`document ${key} of ${model} was not named by \`reads\``);
    return entry;
  }

  /** The entry of the document that changes, made if need be. */
  #entryOf(model: string, key: string): Entry {
    const entries = this.#entriesOf(model);
    const known = entries.get(key);
    if (known !== undefined) return known;
    const absent = { state: undefined, created: 0n, position: 0n, keyId: undefined, size: 0 };
    const entry = { ...absent, batch: this.#batch, pending: undefined };
    entries.set(key, entry);
    return entry;
  }

  #entriesOf(model: string): RecentMap<Entry> {
    let entries = this.#entries.get(model);
    if (entries === undefined) {
      entries = new RecentMap(MAX_CACHED_BYTES, ({ size }) => BYTES_EACH + size);
      this.#entries.set(model, entries);
    }
    return entries;
  }
}
