import { type Batch, type Delete, type Document, type IndexEntry, KeyTooLong, type Write } from "../index.ts";
import type { GenerationDatabases } from "./databases.ts";
import type { ModelKeys } from "./keys.ts";
import { type Indexes, NO_INDEXES, RecordEncoder, StoredRecord } from "./stored-record.ts";

/** Applies batches inside a transaction. */
export class BatchWriter {
  readonly #encoder = new RecordEncoder();

  /**
   * `checkpoint` is the stored one: writes at or below it are folded in already. So tombstones are only needed within
   * the batch: a delete is remembered, so that an earlier put does not restore the document.
   */
  apply(batch: Batch, checkpoint: bigint, databases: GenerationDatabases): void {
    const deleted = new Map<string, bigint>();
    for (const write of batch.writes) {
      const position = positionOf(write);
      if (position <= checkpoint) continue;
      const keys = databases.source(write.model).keys;
      if (write.kind === "put" && write.fixedIndexes) {
        this.#putFixed(databases, keys, write.document, checkpoint);
        continue;
      }
      if (write.kind === "delete" && write.fixed !== undefined) {
        deleteFixed(databases, keys, write.key, write.fixed, checkpoint);
        continue;
      }
      const name = write.kind === "put" ? write.document.key : write.key;
      if (deleted.size > 0 && position <= (deleted.get(`${write.model}/${name}`) ?? 0n)) continue;
      if (write.kind === "put") this.#put(databases, keys, write.document);
      else if (deleteUnlessNewer(databases, keys, name, position)) deleted.set(`${write.model}/${name}`, position);
    }
  }

  /** Reads nothing: a document created behind the checkpoint is not stored yet, and any other has its rows. */
  #putFixed(databases: GenerationDatabases, keys: ModelKeys, document: Document, checkpoint: bigint): void {
    const key = storableKey(keys, document.key);
    if (document.created > checkpoint) replaceRows(databases, keys, key, NO_INDEXES, document.indexes);
    databases.documents.putSync(key, this.#encoder.encode(document, NO_INDEXES));
  }

  #put(databases: GenerationDatabases, keys: ModelKeys, document: Document): void {
    const key = storableKey(keys, document.key);
    const before = stored(databases, key);
    if (before !== undefined && before.position >= document.position) return;
    replaceRows(databases, keys, key, before?.indexes() ?? NO_INDEXES, document.indexes);
    databases.documents.putSync(key, this.#encoder.encode(document, document.indexes));
  }
}

function deleteFixed(
  databases: GenerationDatabases,
  keys: ModelKeys,
  name: string,
  { created, indexes }: NonNullable<Delete["fixed"]>,
  checkpoint: bigint,
): void {
  const key = keys.document(name);
  if (key === undefined || created > checkpoint) return;
  replaceRows(databases, keys, key, indexes, NO_INDEXES);
  databases.documents.removeSync(key);
}

/** False if a newer document is stored. */
function deleteUnlessNewer(databases: GenerationDatabases, keys: ModelKeys, name: string, position: bigint): boolean {
  const key = keys.document(name);
  const before = key && stored(databases, key);
  if (key === undefined || before === undefined) return true;
  if (before.position >= position) return false;
  replaceRows(databases, keys, key, before.indexes(), NO_INDEXES);
  databases.documents.removeSync(key);
  return true;
}

function replaceRows(
  { rows }: GenerationDatabases,
  keys: ModelKeys,
  key: Buffer,
  before: Indexes,
  after: Indexes,
): void {
  const value = keys.rowValue(key);
  for (const index in before) {
    const { partition, sort } = before[index] as IndexEntry;
    if (isSame(before[index], after[index])) continue;
    const row = keys.row(index, partition, sort);
    // Another document of the same batch may have this row by now.
    if (rows.has(row, value)) rows.remove(row);
  }
  for (const index in after) {
    const { partition, sort } = after[index] as IndexEntry;
    if (!isSame(before[index], after[index])) rows.put(keys.row(index, partition, sort), value);
  }
}

function isSame(one: IndexEntry | undefined, other: IndexEntry | undefined): boolean {
  return one?.partition === other?.partition && one?.sort === other?.sort;
}

function stored({ documents }: GenerationDatabases, key: Buffer): StoredRecord | undefined {
  const bytes = documents.getBinaryFast(key);
  return bytes && new StoredRecord(bytes, bytes.length);
}

/** @throws KeyTooLong */
function storableKey(keys: ModelKeys, name: string): Buffer {
  const key = keys.document(name);
  if (key === undefined) throw new KeyTooLong("a document's key is too long to be stored");
  return key;
}

function positionOf(write: Write): bigint {
  return write.kind === "put" ? write.document.position : write.position;
}
