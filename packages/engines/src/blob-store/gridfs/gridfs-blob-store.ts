import { Readable } from "node:stream";
import { ObjectId } from "mongodb";
import { isDuplicateKey, type MongoConnection } from "../../mongodb/index.ts";
import { ContentMeter, checkKey, InFlightOperations, verifyContent } from "../content.ts";
import {
  type Blob,
  BlobExists,
  type BlobStore,
  BlobStoreUnavailable,
  type PutBlobOptions,
  type StoredBlob,
} from "../index.ts";
import {
  CHUNK_SIZE,
  type FileRecord,
  GridFsCollections,
  READ_TIMEOUT_MS,
  readChunks,
  removeAbandonedUploads,
  removeChunks,
  translateErrors,
  writeChunks,
} from "./chunks.ts";

export interface GridFsOptions {
  /**
   * Milliseconds of real time after which an unfinished upload counts as abandoned; by default a day. An upload that
   * takes half as long fails.
   */
  readonly abandonedAfterMs?: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/**
 * Blobs in GridFS. A file exists once its record does, which is written last. A later put removes what a process that
 * died has left. The store does not close the connection.
 */
export function openGridFsBlobStore(connection: MongoConnection, options: GridFsOptions = {}): BlobStore {
  const { abandonedAfterMs = DAY_MS } = options;
  return new GridFsBlobStore(new GridFsCollections(connection), abandonedAfterMs);
}

class GridFsBlobStore implements BlobStore {
  readonly #collections: GridFsCollections;
  readonly #abandonedAfterMs: number;
  readonly #inFlight = new InFlightOperations();

  constructor(collections: GridFsCollections, abandonedAfterMs: number) {
    this.#collections = collections;
    this.#abandonedAfterMs = abandonedAfterMs;
  }

  put(key: string, content: AsyncIterable<Uint8Array>, options: PutBlobOptions): Promise<StoredBlob> {
    return this.#inFlight.run(async () => {
      checkKey(key);
      const id = await translateErrors(() => this.#begin());
      try {
        return await this.#upload(id, key, content, options);
      } catch (error) {
        // If the server is out of reach, it may have been stored.
        if (!(error instanceof BlobStoreUnavailable)) await this.#discard(id);
        throw error;
      }
    });
  }

  async get(key: string): Promise<Blob | undefined> {
    checkKey(key);
    const file = await translateErrors(() => this.#find(key));
    if (file === undefined) return undefined;
    const stored = { bytes: file.length, sha256: file.metadata.sha256 };
    const pieces = verifyContent(key, stored, readChunks(this.#collections.chunks, file._id));
    return { ...stored, contentType: file.metadata.contentType, stream: Readable.from(pieces, { objectMode: false }) };
  }

  remove(key: string): Promise<void> {
    return this.#inFlight.run(async () => {
      checkKey(key);
      await translateErrors(async () => {
        const file = await this.#find(key);
        if (file === undefined) return;
        const { files, unfinished } = this.#collections;
        await unfinished.updateOne({ _id: file._id }, { $set: { since: new Date() } }, { upsert: true });
        await files.deleteOne({ _id: file._id });
        await removeChunks(this.#collections, file._id);
      });
    });
  }

  close(): Promise<void> {
    return this.#inFlight.close();
  }

  async #begin(): Promise<ObjectId> {
    await this.#collections.ensureIndexes();
    await removeAbandonedUploads(this.#collections, new Date(Date.now() - this.#abandonedAfterMs));
    const id = new ObjectId();
    await this.#collections.unfinished.insertOne({ _id: id, since: new Date() });
    return id;
  }

  async #upload(
    id: ObjectId,
    key: string,
    content: AsyncIterable<Uint8Array>,
    { maxBytes, contentType }: PutBlobOptions,
  ): Promise<StoredBlob> {
    const begun = performance.now();
    const measured = new ContentMeter(content, maxBytes);
    await writeChunks(this.#collections.chunks, id, measured.read());
    const stored = measured.result();
    if (performance.now() - begun > this.#abandonedAfterMs / 2) {
      throw new BlobStoreUnavailable("an upload took so long that it counts as abandoned");
    }
    const metadata = { sha256: stored.sha256, contentType: contentType ?? null };
    const file = {
      _id: id,
      filename: key,
      length: stored.bytes,
      chunkSize: CHUNK_SIZE,
      uploadDate: new Date(),
      metadata,
    };
    const kept = await translateErrors(() => this.#insert(file));
    if (kept?.metadata.sha256 !== stored.sha256) throw new BlobExists(key);
    // The file is stored, even if its mark stays.
    if (kept._id.equals(id)) await this.#collections.unfinished.deleteOne({ _id: id }).catch(() => undefined);
    else await this.#discard(id);
    return stored;
  }

  /** Returns the file that has the key then. */
  async #insert(file: FileRecord): Promise<FileRecord | undefined> {
    try {
      await this.#collections.files.insertOne(file);
      return file;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return this.#find(file.filename);
    }
  }

  async #find(key: string): Promise<FileRecord | undefined> {
    return (await this.#collections.files.findOne({ filename: key }, { maxTimeMS: READ_TIMEOUT_MS })) ?? undefined;
  }

  /** A later put removes what is left. */
  async #discard(id: ObjectId): Promise<void> {
    await removeChunks(this.#collections, id).catch(() => undefined);
  }
}
