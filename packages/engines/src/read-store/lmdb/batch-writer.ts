import { type Batch, type Document, type IndexEntry, KeyTooLong, type Write } from "../index.ts";
import { type Documents, type GenerationDatabases, storedRecord } from "./databases.ts";
import { isStorable } from "./keys.ts";
import type { Rows } from "./rows.ts";
import { type Indexes, NO_INDEXES, RecordEncoder } from "./stored-record.ts";

/** Applies batches inside a transaction. */
export class BatchWriter {
  readonly #encoder = new RecordEncoder();

  /**
   * `checkpoint` is the stored one: writes at or below it are folded in already. So tombstones are only needed within
   * the batch: a delete is remembered, so that an earlier put does not restore the document.
   */
  apply(batch: Batch, checkpoint: bigint, databases: GenerationDatabases): void {
    const { rows } = databases;
    const modelStart = batch.projection.length + 1;
    const deleted = new Map<string, bigint>();
    for (const write of batch.writes.toSorted(byKey)) {
      const isPut = write.kind === "put";
      const position = isPut ? write.document.position : write.position;
      if (position <= checkpoint) continue;
      const model = write.model.slice(modelStart);
      const documents = databases.documents(model) as Documents;
      if (isPut && write.fixedIndexes) {
        // A document created above the checkpoint is not stored yet, and any other has its rows.
        if (write.document.created > checkpoint)
          replaceRows(rows, model, write.document.key, NO_INDEXES, write.document.indexes);
        this.#store(documents, write.document);
        continue;
      }
      if (!isPut && write.fixed !== undefined) {
        if (write.fixed.created > checkpoint) continue;
        replaceRows(rows, model, write.key, write.fixed.indexes, NO_INDEXES);
        documents.removeSync(write.key);
        continue;
      }
      const key = isPut ? write.document.key : write.key;
      const name = `${model}/${key}`;
      if (deleted.size > 0 && position <= (deleted.get(name) ?? 0n)) continue;
      const before = storedRecord(documents, key);
      if (before !== undefined && before.position >= position) continue;
      replaceRows(rows, model, key, before?.rest()[1] ?? NO_INDEXES, isPut ? write.document.indexes : NO_INDEXES);
      if (isPut) this.#store(documents, write.document, write.document.indexes);
      else {
        deleted.set(name, position);
        documents.removeSync(key);
      }
    }
  }

  /** @throws KeyTooLong */
  #store(documents: Documents, document: Document, indexes?: Indexes): void {
    if (!isStorable(document.key)) throw new KeyTooLong("a document's key is too long to be stored");
    documents.putSync(document.key, this.#encoder.encode(document, indexes));
  }
}

/** What is written in the order of its keys leaves pages full; the writes of one document stay in their order. */
function byKey(one: Write, other: Write): number {
  const [key, otherKey] = [keyOf(one), keyOf(other)];
  return key < otherKey ? -1 : key > otherKey ? 1 : 0;
}

function keyOf(write: Write): string {
  return write.kind === "put" ? write.document.key : write.key;
}

function replaceRows(rows: Rows, model: string, key: string, before: Indexes, after: Indexes): void {
  for (const index in before) {
    if (!isSame(before[index], after[index])) rows.remove(model, index, before[index] as IndexEntry, key);
  }
  for (const index in after) {
    if (!isSame(before[index], after[index])) rows.put(model, index, after[index] as IndexEntry, key);
  }
}

function isSame(one: IndexEntry | undefined, other: IndexEntry | undefined): boolean {
  return one?.partition === other?.partition && one?.sort === other?.sort;
}
