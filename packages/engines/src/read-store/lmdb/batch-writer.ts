import { type Batch, checkKeys, type IndexEntry, keyOf, positionOf, type Write } from "../index.ts";
import { type Documents, type GenerationDatabases, storedRecord } from "./databases.ts";
import type { Rows } from "./rows.ts";
import { encodeRecord, type Indexes, NO_INDEXES } from "./stored-record.ts";

/**
 * Applies a batch inside a transaction.
 * @param checkpoint the stored one. Writes at or below it are already applied.
 * @throws UnstorableKey
 */
export function applyBatch(batch: Batch, checkpoint: bigint, databases: GenerationDatabases): void {
  const modelStart = batch.projection.length + 1;
  for (const write of batch.writes.toSorted(byKey)) {
    if (positionOf(write) <= checkpoint) continue;
    checkKeys(write);
    const model = write.model.slice(modelStart);
    const documents = databases.documents(model) as Documents;
    const key = keyOf(write);
    const isPut = write.kind === "put";
    const fixed = isPut ? write.fixedIndexes && write.document : write.fixed;
    const isNew = fixed !== undefined && fixed.created > checkpoint;
    if (isNew && !isPut) continue;
    const before = isNew ? undefined : (fixed?.indexes ?? storedRecord(documents, key)?.rest()[1]);
    replaceRows(databases.rows, model, key, before ?? NO_INDEXES, isPut ? write.document.indexes : NO_INDEXES);
    if (isPut) {
      const { document } = write;
      documents.putSync(key, encodeRecord(document, fixed === undefined ? document.indexes : undefined));
    } else documents.removeSync(key);
  }
}

/** Writing in key order leaves pages full. The writes of one document stay in their order. */
function byKey(one: Write, other: Write): number {
  const [key, otherKey] = [keyOf(one), keyOf(other)];
  return key < otherKey ? -1 : key > otherKey ? 1 : 0;
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
