import type { Collection } from "mongodb";
import type { MongoConnection } from "../../mongodb/index.ts";
import type { ChunkRecord, FileRecord, UnfinishedRecord } from "./gridfs-records.ts";

/** The collections of a bucket. */
export class GridFsCollections {
  readonly files: Collection<FileRecord>;
  readonly chunks: Collection<ChunkRecord>;
  readonly unfinished: Collection<UnfinishedRecord>;
  #indexed: Promise<unknown> | undefined;

  constructor({ db }: MongoConnection, bucket: string) {
    this.files = db.collection(`${bucket}.files`);
    this.chunks = db.collection(`${bucket}.chunks`);
    this.unfinished = db.collection(`${bucket}.unfinished`);
  }

  /** Before anything is written. */
  ensureIndexes(): Promise<unknown> {
    this.#indexed ??= this.#index().catch((error: unknown) => {
      this.#indexed = undefined;
      throw error;
    });
    return this.#indexed;
  }

  async #index(): Promise<void> {
    await this.files.createIndex({ filename: 1 }, { unique: true });
    await this.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
    await this.unfinished.createIndex({ since: 1 });
  }
}
