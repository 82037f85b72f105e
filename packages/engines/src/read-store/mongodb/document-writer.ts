import type { Collection } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import { awaitAll, type Collections, forEachConcurrent, readDocuments } from "./collections.ts";
import { chunksOf, type StoredChange } from "./redo-log.ts";
import { indexesOf, partitionField, type Stored, sortField } from "./stored-document.ts";

/** Maximum of one message. */
const MAX_PER_MESSAGE = { documents: 500, characters: 2_000_000 };
/** Concurrent messages. */
const MAX_CONCURRENT = 8;

interface CollectionBatch {
  readonly collection: Collection<Stored>;
  readonly documents: readonly Stored[];
}

/**
 * Writes documents, each guarded by its position: an older one never replaces a newer one, whoever else writes. It
 * decides by what it has read, not by which writes of a message failed: compatible servers differ in how far they get
 * after the first failure.
 */
export class DocumentWriter {
  readonly #collections: Collections;
  readonly #indexes = new ListIndexes();

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  /** @param changes at most one per key; sorted by model is fastest. */
  async write(generationId: number, changes: Iterable<StoredChange>): Promise<void> {
    await forEachConcurrent(MAX_CONCURRENT, this.#batchesOf(generationId, changes), (batch) => this.#writeBatch(batch));
  }

  async #writeBatch({ collection, documents }: CollectionBatch): Promise<void> {
    await this.#indexes.ensure(collection, documents);
    let pending = documents;
    while (pending.length > 0) {
      const ids = pending.map(({ _id }) => _id);
      const stored = await readDocuments(collection, ids, { position: 1 });
      const missing = pending.filter(({ _id }) => !stored.has(_id));
      const newer = pending.filter(({ _id, position }) => position > (stored.get(_id)?.position ?? position));
      const [allInserted] = await awaitAll([insertMissing(collection, missing), replaceOlder(collection, newer)]);
      // Another writer may have inserted some of them meanwhile.
      pending = allInserted ? [] : missing;
    }
  }

  *#batchesOf(generationId: number, changes: Iterable<StoredChange>): Generator<CollectionBatch> {
    for (const piece of chunksOf(changes, MAX_PER_MESSAGE)) {
      for (const [model, documents] of Map.groupBy(piece, ({ model }) => model)) {
        const collection = this.#collections.of(model, generationId);
        yield { collection, documents: documents.map(({ stored }) => stored) };
      }
    }
  }
}

async function replaceOlder(collection: Collection<Stored>, documents: readonly Stored[]): Promise<true> {
  if (documents.length === 0) return true;
  const replacements = documents.map(({ _id, ...replacement }) => ({
    replaceOne: { filter: { _id, position: { $lt: replacement.position } }, replacement },
  }));
  await collection.bulkWrite(replacements, { ordered: false });
  return true;
}

async function insertMissing(collection: Collection<Stored>, documents: readonly Stored[]): Promise<boolean> {
  if (documents.length === 0) return true;
  try {
    await collection.insertMany(documents, { ordered: false });
    return true;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** Creates the index of each list before the first document in it. */
class ListIndexes {
  readonly #created = new Map<string, Promise<unknown>>();

  async ensure(collection: Collection<Stored>, documents: readonly Stored[]): Promise<void> {
    for (const index of new Set(documents.flatMap(indexesOf))) await this.#ensure(collection, index);
  }

  #ensure(collection: Collection<Stored>, index: string): Promise<unknown> {
    const name = `${collection.collectionName}/${index}`;
    const known = this.#created.get(name);
    if (known !== undefined) return known;
    // Sparse: tombstones are in no list.
    const created = collection.createIndex({ [partitionField(index)]: 1, [sortField(index)]: 1 }, { sparse: true });
    this.#created.set(name, created);
    created.catch(() => this.#created.delete(name));
    return created;
  }
}
