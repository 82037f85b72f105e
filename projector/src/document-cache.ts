import type { Delete, Document, Write } from "@travel-booking/engines/read-store";
import { RecentMap } from "@travel-booking/runtime/recent-map";
import { type Change, type Documents, type FoldedState, type Model, wholeDocument } from "./projection.ts";

/** So many written documents of a model stay cached, at most twice as many: few, because the garbage collector copies them. */
const MAX_CACHED = 500;

interface Entry {
  /** Undefined if there is no document. */
  state: unknown;
  created: bigint;
  position: bigint;
  /** What to write. */
  pending: Change | undefined;
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
  #position: bigint;
  /** What was created behind it is not stored. */
  #written: bigint;

  /** @param written everything up to there is stored. */
  constructor(models: Readonly<Record<string, Model>>, written: bigint) {
    this.#models = models;
    this.#position = written;
    this.#written = written;
  }

  /** The number of documents to be written. */
  get pendingDocuments(): number {
    return this.#pending.length;
  }

  /** The following calls belong to the event at this position. */
  beginEvent(position: bigint): void {
    this.#position = position;
  }

  state<State>(model: string, key: string): State | undefined {
    return this.#read(model, key).state as State | undefined;
  }

  created(model: string, key: string): bigint | undefined {
    const { state, created } = this.#read(model, key);
    return state === undefined ? undefined : created;
  }

  has(model: string, key: string): boolean {
    return this.#entriesOf(model).get(key) !== undefined;
  }

  putFetched(model: string, key: string, document: Document | undefined): void {
    const { state, created = 0n, position = 0n } = document ?? {};
    this.#entriesOf(model).set(key, { state, created, position, pending: undefined });
  }

  apply(change: Change): void {
    const position = this.#position;
    const entry = this.#entryOf(change);
    const { pending } = entry;
    if (pending === undefined) this.#pending.push(entry);
    // A document with fixed indexes is deleted before it is made anew: its entries may differ then.
    if (pending?.kind === "delete" && pending.fixed !== undefined && change.kind !== "delete") {
      if (pending.fixed.created <= this.#written) this.#deletes.push(pending);
    }
    if (change.kind === "put") entry.created = change.document.created;
    else if (entry.state === undefined) entry.created = position;
    entry.state = change.kind === "put" ? change.document.state : change.kind === "fold" ? change.state : undefined;
    entry.position = position;
    entry.pending = change;
  }

  /** The pending writes. They count as written from now on. */
  takeWrites(): Write[] {
    const taken: Write[] = this.#deletes;
    for (const entry of this.#pending) {
      const { pending } = entry;
      entry.pending = undefined;
      if (pending?.kind === "fold") taken.push(...this.#represent(entry, pending));
      else if (pending !== undefined) taken.push(pending);
    }
    const writes = taken.map((write) => this.#marked(write));
    this.#pending = [];
    this.#deletes = [];
    this.#written = this.#position;
    for (const entries of this.#entries.values()) entries.trim();
    return writes;
  }

  #represent({ state, position, created }: Entry, { model, key }: FoldedState): readonly Write[] {
    const shown = this.#models[model]?.represent?.(state, { key, position, created }) ?? {};
    const { derivedWrites = [], ...document } = shown;
    return [wholeDocument(model, { key, position, created, state, ...document }), ...derivedWrites];
  }

  /** Tells the engine where indexes are fixed. */
  #marked(write: Write): Write {
    if (!this.#models[write.model]?.fixedIndexes) return write;
    if (write.kind === "put") return { ...write, fixedIndexes: true };
    if (write.fixed === undefined) throw new Error(`a delete in ${write.model} does not say its index entries`);
    return write;
  }

  #read(model: string, key: string): Entry {
    const entry = this.#entriesOf(model).get(key);
    if (entry === undefined) throw new Error(`document ${key} of ${model} was not named by \`reads\``);
    return entry;
  }

  /** The entry of the document that changes, made if need be. */
  #entryOf(change: Change): Entry {
    const entries = this.#entriesOf(change.model);
    const key = change.kind === "put" ? change.document.key : change.key;
    const known = entries.get(key);
    if (known !== undefined) return known;
    const entry = { state: undefined, created: 0n, position: 0n, pending: undefined };
    entries.set(key, entry);
    return entry;
  }

  #entriesOf(model: string): RecentMap<Entry> {
    let entries = this.#entries.get(model);
    if (entries === undefined) {
      entries = new RecentMap(MAX_CACHED);
      this.#entries.set(model, entries);
    }
    return entries;
  }
}
