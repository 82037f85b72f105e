import type { Collection, Db } from "mongodb";
import { isDuplicateKey } from "../../mongodb/index.ts";
import { awaitAll, collectionOf } from "./collections.ts";
import { chunksOf, type StoredChange } from "./redo-log.ts";
import { indexesOf, partitionField, type Stored, sortField } from "./stored-document.ts";

/** Writes documents. Each is guarded by its position: an older one never replaces a newer one, whatever else writes. */
export class DocumentWriter {
  readonly #db: Db;
  /** The indexes of lists, created or being created, by collection and list. */
  readonly #indexes = new Map<string, Promise<unknown>>();

  constructor(db: Db) {
    this.#db = db;
  }

  /** @param changes at most one per key. */
  async write(generationId: number, changes: readonly StoredChange[]): Promise<void> {
    for (const chunk of chunksOf(changes)) {
      const byModel = Map.groupBy(chunk, ({ model }) => model);
      await awaitAll(
        [...byModel].map(([model, ofModel]) => {
          const documents = ofModel.map(({ stored }) => stored);
          return this.#writeTo(collectionOf(this.#db, model, generationId), documents);
        }),
      );
    }
  }

  async #writeTo(collection: Collection<Stored>, documents: readonly Stored[]): Promise<void> {
    for (const index of new Set(documents.flatMap(indexesOf))) await this.#ensureIndex(collection, index);
    const upserts = documents.map((document) => ({ replaceOne: { ...guarded(document), upsert: true } }));
    try {
      await collection.bulkWrite(upserts, { ordered: false });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Some documents are already stored. Compatible servers differ in how far they get after the first duplicate.
      for (const document of documents) await writeAlone(collection, document);
    }
  }

  /** Called before the first document of a list is written. */
  #ensureIndex(collection: Collection<Stored>, index: string): Promise<unknown> {
    const name = `${collection.collectionName}/${index}`;
    const known = this.#indexes.get(name);
    if (known !== undefined) return known;
    // Sparse, because tombstones are in no list.
    const created = collection.createIndex({ [partitionField(index)]: 1, [sortField(index)]: 1 }, { sparse: true });
    this.#indexes.set(name, created);
    created.catch(() => this.#indexes.delete(name));
    return created;
  }
}

/** A filter for older versions of this document. With `upsert`, a stored version as new as this is a duplicate key. */
function guarded({ _id, ...replacement }: Stored) {
  return { filter: { _id, position: { $lt: replacement.position } }, replacement };
}

async function writeAlone(collection: Collection<Stored>, document: Stored): Promise<void> {
  const { filter, replacement } = guarded(document);
  try {
    await collection.replaceOne(filter, replacement, { upsert: true });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // Another writer may have stored an older version meanwhile.
    await collection.replaceOne(filter, replacement);
  }
}
