import type { Delete, Document, Write } from "@travel-booking/engines/read-store";
import type { Change, Documents, Model } from "./projection.ts";

/** So many written documents stay cached, at most twice as many: few, because the garbage collector copies them. */
const MAX_CACHED = 2_000;

interface Entry {
  readonly model: string;
  readonly key: string;
  /** Undefined if there is no document. */
  state: unknown;
  created: bigint;
  position: bigint;
  /** Position of the document when it was fetched: it contains the events up to there. */
  readonly stored: bigint;
  /** What to write. */
  pending: Change | null;
}

/**
 * The documents a projection works on; a write-back cache. Written documents stay cached at least until the next but one
 * batch is taken, so folding may continue while a batch is being written.
 *
 * Without transactions documents may be ahead of the checkpoint. Events that such a document contains do not change it.
 */
export class DocumentCache implements Documents {
  readonly #models: Readonly<Record<string, Model>>;
  #recent = new Map<string, Map<string, Entry>>();
  #older = new Map<string, Map<string, Entry>>();
  #cachedCount = 0;
  /** The last document used: a handler reads a document and changes it right after. */
  #last: Entry | undefined;
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
    const { state, stored } = this.#read(model, key);
    // The handler consumes the state; here its change is dropped.
    return (stored < this.#position ? state : structuredClone(state)) as State | undefined;
  }

  hasApplied(model: string, key: string): boolean {
    return this.#read(model, key).stored >= this.#position;
  }

  created(model: string, key: string): bigint | undefined {
    const entry = this.#read(model, key);
    return entry.state === undefined ? undefined : entry.created;
  }

  has(model: string, key: string): boolean {
    return this.#find(model, key) !== undefined;
  }

  putFetched(model: string, key: string, document: Document | undefined): void {
    const { state, created = 0n, position = 0n } = document ?? {};
    this.#insert({ model, key, state, created, position, stored: position, pending: null });
  }

  apply(change: Change): void {
    const position = this.#position;
    const { model } = change;
    const key = change.kind === "put" ? change.document.key : change.key;
    const entry = this.#find(model, key) ?? this.#insert(missing(model, key));
    const { pending } = entry;
    if (position <= entry.stored) return;
    if (pending === null) this.#pending.push(entry);
    // A document with fixed indexes is deleted before it is made anew: its entries may differ then.
    else if (pending.kind === "delete" && pending.fixed !== undefined && change.kind !== "delete") {
      if (pending.fixed.created <= this.#written) this.#deletes.push(pending);
    }
    if (change.kind === "put") entry.created = change.document.created;
    else if (entry.state === undefined) entry.created = position;
    entry.state = change.kind === "put" ? change.document.state : change.kind === "fold" ? change.state : undefined;
    entry.pending = change;
    entry.position = position;
  }

  /**
   * The pending writes, folded documents last, so that a state is never stored without the other writes of its events.
   * They count as written from now on.
   */
  takeWrites(): Write[] {
    const taken: Write[] = this.#deletes;
    const folded: Write[] = [];
    for (const entry of this.#pending) {
      if (entry.pending?.kind === "fold") this.#represent(entry, taken, folded);
      else if (entry.pending !== null) taken.push(entry.pending);
    }
    const writes = [...taken, ...folded].map((write) => this.#declared(write));
    for (const entry of this.#pending) entry.pending = null;
    this.#pending = [];
    this.#deletes = [];
    this.#written = this.#position;
    if (this.#cachedCount > MAX_CACHED) {
      this.#older = this.#recent;
      this.#recent = new Map();
      this.#cachedCount = 0;
      this.#last = undefined;
    }
    return writes;
  }

  #represent({ model, key, state, position, created }: Entry, writes: Write[], folded: Write[]): void {
    const represent = this.#models[model]?.represent;
    if (represent === undefined) throw new Error(`model ${model} does not say how a state is shown`);
    const { derivedWrites, body, indexes, staleAt } = represent(state, { key, position, created });
    folded.push({ kind: "put", model, document: { key, position, created, body, state, indexes, staleAt } });
    if (derivedWrites !== undefined) writes.push(...derivedWrites);
  }

  /** Engines create the declared models and indexes beforehand. */
  #declared(write: Write): Write {
    const model = this.#models[write.model];
    if (model === undefined) throw new Error(`model ${write.model} is not declared`);
    if (write.kind === "delete") {
      if (!model.fixedIndexes || write.fixed !== undefined) return write;
      throw new Error(`a delete in ${write.model} does not say its index entries`);
    }
    for (const index in write.document.indexes) {
      if (!model.indexes.includes(index)) throw new Error(`index ${index} of ${write.model} is not declared`);
    }
    return model.fixedIndexes ? { ...write, fixedIndexes: true } : write;
  }

  #read(model: string, key: string): Entry {
    const entry = this.#find(model, key);
    if (entry === undefined) throw new Error(`document ${key} of ${model} was not named by \`reads\``);
    return entry;
  }

  #find(model: string, key: string): Entry | undefined {
    const last = this.#last;
    if (last !== undefined && last.key === key && last.model === model) return last;
    const recent = this.#recent.get(model)?.get(key);
    if (recent !== undefined) {
      this.#last = recent;
      return recent;
    }
    const older = this.#older.get(model)?.get(key);
    return older && this.#insert(older);
  }

  #insert(entry: Entry): Entry {
    let model = this.#recent.get(entry.model);
    if (model === undefined) {
      model = new Map();
      this.#recent.set(entry.model, model);
    }
    model.set(entry.key, entry);
    this.#cachedCount++;
    return entry;
  }
}

/** A document that was not fetched. */
function missing(model: string, key: string): Entry {
  return { model, key, state: undefined, created: 0n, position: 0n, stored: 0n, pending: null };
}
