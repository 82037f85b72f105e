import { type Batch, type Delete, type Document, type IndexEntry, KeyTooLong, type Write } from "../index.ts";
import type { Databases } from "./databases.ts";
import type { ModelKeys } from "./keys.ts";
import { type Indexes, RecordEncoder, StoredRecord } from "./stored-record.ts";

const NO_INDEXES: Indexes = {};
const NO_INDEXES_ENCODED = Buffer.from(JSON.stringify(NO_INDEXES));

/** Applies batches inside a transaction. */
export class BatchWriter {
  readonly #databases: Databases;
  readonly #encoder = new RecordEncoder();

  constructor(databases: Databases) {
    this.#databases = databases;
  }

  /**
   * `checkpoint` is the stored one: writes at or below it are folded in already. So tombstones are only needed within
   * the batch: a delete is remembered, so that an earlier put does not restore the document.
   */
  apply(batch: Batch, checkpoint: bigint, keysOf: (model: string) => ModelKeys): void {
    const deleted = new Map<string, bigint>();
    for (const write of batch.writes) {
      const position = positionOf(write);
      if (position <= checkpoint) continue;
      const keys = keysOf(write.model);
      if (write.kind === "put" && write.fixedIndexes) {
        this.#putFixed(keys, write.document, checkpoint);
        continue;
      }
      if (write.kind === "delete" && write.fixed !== undefined) {
        this.#deleteFixed(keys, write.key, write.fixed, checkpoint);
        continue;
      }
      const name = write.kind === "put" ? write.document.key : write.key;
      if (deleted.size > 0 && position <= (deleted.get(`${write.model}/${name}`) ?? 0n)) continue;
      if (write.kind === "put") {
        this.#put(keys, write.document);
      } else if (this.#delete(keys, name, position)) {
        deleted.set(`${write.model}/${name}`, position);
      }
    }
  }

  /** Reads nothing: a document created behind the checkpoint is not stored yet, and any other has its rows. */
  #putFixed(keys: ModelKeys, document: Document, checkpoint: bigint): void {
    const key = keys.document(document.key);
    if (key === undefined) throw new KeyTooLong("a document's key is too long to be stored");
    const { record, separateState } = this.#encoder.encode(document, NO_INDEXES);
    const isNew = document.created > checkpoint;
    if (isNew) this.#putRows(keys, key, document.indexes);
    if (separateState !== undefined) this.#databases.states.putSync(key, separateState);
    else if (!isNew) this.#databases.states.removeSync(key);
    this.#databases.documents.putSync(key, record);
  }

  #deleteFixed(keys: ModelKeys, name: string, fixed: NonNullable<Delete["fixed"]>, checkpoint: bigint): void {
    const key = keys.document(name);
    if (key === undefined || fixed.created > checkpoint) return;
    for (const [index, { partition, sort }] of Object.entries(fixed.indexes)) {
      this.#databases.rows.removeSync(keys.row(index, partition, sort));
    }
    this.#databases.states.removeSync(key);
    this.#databases.documents.removeSync(key);
  }

  #putRows(keys: ModelKeys, key: Buffer, indexes: Indexes): void {
    const value = keys.rowValue(key);
    for (const index in indexes) {
      const { partition, sort } = indexes[index] as IndexEntry;
      this.#databases.rows.putSync(keys.row(index, partition, sort), value);
    }
  }

  #put(keys: ModelKeys, document: Document): void {
    const key = keys.document(document.key);
    if (key === undefined) throw new KeyTooLong("a document's key is too long to be stored");
    const { record, indexes, separateState } = this.#encoder.encode(document);
    const before = this.#stored(key);
    if (before !== undefined && before.position >= document.position) return;
    const hadSeparateState = before?.hasSeparateState ?? false;
    const sameRows = before === undefined ? indexes.equals(NO_INDEXES_ENCODED) : before.hasSameIndexes(indexes);
    if (!sameRows) this.#replaceRows(keys, key, before?.indexes() ?? NO_INDEXES, document.indexes);
    if (separateState !== undefined) this.#databases.states.putSync(key, separateState);
    else if (hadSeparateState) this.#databases.states.removeSync(key);
    this.#databases.documents.putSync(key, record);
  }

  /** False if a newer document is stored. */
  #delete(keys: ModelKeys, name: string, position: bigint): boolean {
    const key = keys.document(name);
    const before = key && this.#stored(key);
    if (key === undefined || before === undefined) return true;
    if (before.position >= position) return false;
    if (before.hasSeparateState) this.#databases.states.removeSync(key);
    if (!before.hasSameIndexes(NO_INDEXES_ENCODED)) this.#replaceRows(keys, key, before.indexes(), NO_INDEXES);
    this.#databases.documents.removeSync(key);
    return true;
  }

  #replaceRows(keys: ModelKeys, key: Buffer, before: Indexes, after: Indexes): void {
    const value = keys.rowValue(key);
    for (const [index, entry] of Object.entries(before)) {
      const now = after[index];
      if (now?.partition === entry.partition && now.sort === entry.sort) continue;
      const row = keys.row(index, entry.partition, entry.sort);
      // Another document of the same batch may have this row by now.
      if (this.#databases.rows.getBinary(row)?.equals(value)) this.#databases.rows.removeSync(row);
    }
    for (const [index, entry] of Object.entries(after)) {
      const was = before[index];
      if (was?.partition === entry.partition && was.sort === entry.sort) continue;
      this.#databases.rows.putSync(keys.row(index, entry.partition, entry.sort), value);
    }
  }

  #stored(key: Buffer): StoredRecord | undefined {
    const bytes = this.#databases.documents.getBinaryFast(key);
    return bytes && new StoredRecord(bytes, bytes.length);
  }
}

function positionOf(write: Write): bigint {
  return write.kind === "put" ? write.document.position : write.position;
}
