import type { Collection } from "mongodb";
import { indexesOf, partitionField, type Stored, sortField } from "./stored-document.ts";

/** The indexes the lists are read by, each made once, before the first document that stands in it. */
export class ListIndexes {
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
