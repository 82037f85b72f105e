import type { Collection } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import { awaitAll, type Collections, forEachConcurrent, readDocuments } from "./collections.ts";
import { chunksOf, type StoredChange } from "./redo-log.ts";
import { indexesOf, partitionField, type Stored, sortField } from "./stored-document.ts";

/** Maximum of one message. */
const MAX_PER_MESSAGE = { documents: 500, characters: 2_000_000 };
/** Concurrent messages. */
const MAX_CONCURRENT = 8;

/**
 * Writes documents, each guarded by its position: an older one never replaces a newer one, whoever else writes. It
 * decides by what it has read, not by which writes of a message failed: compatible servers differ in how far they get
 * after the first failure.
 */
export class DocumentWriter {
  readonly #collections: Collections;
  /** The indexes of lists, created or being created, by collection and list. */
  readonly #indexes = new Map<string, Promise<unknown>>();

  constructor(collections: Collections) {
    this.#collections = collections;
  }

  /** @param changes at most one per key; sorted by model is fastest. */
  async write(generationId: number, changes: Iterable<StoredChange>): Promise<void> {
    await forEachConcurrent(MAX_CONCURRENT, chunksByModel(changes), ([model, documents]) =>
      this.#writeBatch(this.#collections.of(model, generationId), documents),
    );
  }

  async #writeBatch(collection: Collection<Stored>, documents: readonly Stored[]): Promise<void> {
    for (const index of new Set(documents.flatMap(indexesOf))) await this.#ensureIndex(collection, index);
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

  /** Before the first document in the list. */
  #ensureIndex(collection: Collection<Stored>, index: string): Promise<unknown> {
    const name = `${collection.collectionName}/${index}`;
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    // Sparse: tombstones are in no list.
    const created = collection.createIndex({ [partitionField(index)]: 1, [sortField(index)]: 1 }, { sparse: true });
    this.#indexes.set(name, created);
    created.catch(() => this.#indexes.delete(name));
    return created;
  }
}

function* chunksByModel(changes: Iterable<StoredChange>): Generator<readonly [model: string, documents: Stored[]]> {
  for (const piece of chunksOf(changes, MAX_PER_MESSAGE)) {
    for (const [model, ofModel] of Map.groupBy(piece, (change) => change.model)) {
      yield [model, ofModel.map(({ stored }) => stored)];
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
