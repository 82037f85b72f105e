import type { Collection, Db } from "mongodb";
import { isDuplicateKey, updatesPerMessage } from "../../mongodb/index.ts";
import { chunksOf, type StoredChange } from "./changes.ts";
import type { Collections } from "./collections.ts";
import { awaitAll, forEachConcurrent } from "./concurrency.ts";
import { ListIndexes } from "./list-indexes.ts";
import { readDocuments } from "./read-documents.ts";
import type { Stored } from "./stored-document.ts";

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
  readonly #db: Db;
  #updatesPerMessage: number | undefined;

  constructor(db: Db, collections: Collections) {
    this.#db = db;
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
      const [areInserted] = await awaitAll([insertMissing(collection, missing), this.#replace(collection, newer)]);
      // Another writer may have made some of them meanwhile.
      waiting = areInserted ? [] : missing;
    }
  }

  async #replace(collection: Collection<Stored>, documents: readonly Stored[]): Promise<boolean> {
    if (documents.length === 0) return true;
    this.#updatesPerMessage ??= await updatesPerMessage(this.#db);
    for (let n = 0; n < documents.length; n += this.#updatesPerMessage) {
      const replacements = documents.slice(n, n + this.#updatesPerMessage).map(({ _id, ...replacement }) => ({
        replaceOne: { filter: { _id, position: { $lt: replacement.position } }, replacement },
      }));
      await collection.bulkWrite(replacements, { ordered: false });
    }
    return true;
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
