import type { Collection } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import { awaitAll, type Collections, forEachConcurrent, readDocuments } from "./collections.ts";
import { chunksOf, type StoredChange } from "./redo-log.ts";
import { indexesOf, partitionField, type Stored, sortField } from "./stored-document.ts";

/** Written with one message at most. */
const MAX_PER_MESSAGE = { documents: 500, characters: 2_000_000 };
/** Messages on their way at once. */
const MAX_CONCURRENT = 8;

interface CollectionBatch {
  readonly collection: Collection<Stored>;
  readonly documents: readonly Stored[];
}

/**
 * Writes documents, each guarded by its position: never an older one over a newer, whoever else writes. It goes by what
 * it has read and not by which of many writes a server says to have failed: servers differ in how far they get behind
 * the first failure.
 */
export class DocumentWriter {
  readonly #collections: Collections;
  readonly #indexes = new ListIndexes();

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  /** @param changes no two of one key; best those of one model together */
  async write(generationId: number, changes: Iterable<StoredChange>): Promise<void> {
    await forEachConcurrent(MAX_CONCURRENT, this.#batchesOf(generationId, changes), (share) => this.#writeBatch(share));
  }

  async #writeBatch({ collection, documents }: CollectionBatch): Promise<void> {
    await this.#indexes.ensure(collection, documents);
    let waiting = documents;
    while (waiting.length > 0) {
      const ids = waiting.map(({ _id }) => _id);
      const stored = await readDocuments(collection, ids, { position: 1 });
      const missing = waiting.filter(({ _id }) => !stored.has(_id));
      const newer = waiting.filter(({ _id, position }) => position > (stored.get(_id)?.position ?? position));
      const [areInserted] = await awaitAll([insertMissing(collection, missing), replaceOlder(collection, newer)]);
      // Another writer may have made some of them meanwhile.
      waiting = areInserted ? [] : missing;
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

/** The indexes the lists are read by, each made once, before the first document that stands in it. */
class ListIndexes {
  readonly #made = new Map<string, Promise<unknown>>();

  async ensure(collection: Collection<Stored>, documents: readonly Stored[]): Promise<void> {
    for (const index of new Set(documents.flatMap(indexesOf))) await this.#ensure(collection, index);
  }

  #ensure(collection: Collection<Stored>, index: string): Promise<unknown> {
    const name = `${collection.collectionName}/${index}`;
    const known = this.#made.get(name);
    if (known !== undefined) return known;
    // What stays of deleted documents stands in no list: left out, where the server knows how to.
    const made = collection.createIndex({ [partitionField(index)]: 1, [sortField(index)]: 1 }, { sparse: true });
    this.#made.set(name, made);
    made.catch(() => this.#made.delete(name));
    return made;
  }
}
