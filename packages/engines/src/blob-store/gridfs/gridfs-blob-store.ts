import { Readable } from "node:stream";
import type { Collection, Db } from "mongodb";
import { isDuplicateKey, type MongoConnection, READ_TIMEOUT_MS } from "../../mongodb/index.ts";
import { ContentMeter, checkKey, verifyContent } from "../content.ts";
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
  type ChunkRecord,
  type FileId,
  type FileRecord,
  fileIdsOf,
  newFileId,
  readChunks,
  translateErrors,
  writeChunks,
} from "./chunks.ts";

/**
 * Blobs in GridFS. A file exists once its record does, which is written last. Chunks that a killed process left are
 * removed with their key. The store does not close the connection.
 */
export function openGridFsBlobStore({ db }: MongoConnection): BlobStore {
  return new GridFsBlobStore(db);
}

class GridFsBlobStore implements BlobStore {
  readonly #files: Collection<FileRecord>;
  readonly #chunks: Collection<ChunkRecord>;

  constructor(db: Db) {
    this.#files = db.collection("blobs.files");
    this.#chunks = db.collection("blobs.chunks");
  }

  async put(key: string, content: AsyncIterable<Uint8Array>, options: PutBlobOptions): Promise<StoredBlob> {
    checkKey(key);
    await translateErrors(() => this.#ensureIndexes());
    const id = newFileId(key);
    try {
      return await this.#upload(id, key, content, options);
    } catch (error) {
      // If the server is out of reach, the file may have been stored.
      if (!(error instanceof BlobStoreUnavailable)) await this.#discard(id);
      throw error;
    }
  }

  async get(key: string): Promise<Blob | undefined> {
    checkKey(key);
    const file = await translateErrors(() => this.#find(key));
    if (file === undefined) return undefined;
    const stored = { bytes: file.length, sha256: file.metadata.sha256 };
    const pieces = verifyContent(key, stored, readChunks(this.#chunks, file._id));
    return { ...stored, contentType: file.metadata.contentType, stream: Readable.from(pieces, { objectMode: false }) };
  }

  async remove(key: string): Promise<void> {
    checkKey(key);
    await translateErrors(async () => {
      const file = await this.#files.findOneAndDelete({ filename: key });
      // Its chunks may have an id of a former release.
      if (file !== null) await this.#chunks.deleteMany({ files_id: file._id });
      await this.#chunks.deleteMany({ files_id: fileIdsOf(key) });
    });
  }

  /** Called before writing. Existing indexes stay. */
  async #ensureIndexes(): Promise<void> {
    await this.#files.createIndex({ filename: 1 }, { unique: true });
    await this.#chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
  }

  async #upload(
    id: FileId,
    key: string,
    content: AsyncIterable<Uint8Array>,
    { maxBytes, contentType }: PutBlobOptions,
  ): Promise<StoredBlob> {
    const measured = new ContentMeter(content, maxBytes);
    await writeChunks(this.#chunks, id, measured.read());
    const stored = measured.result();
    const kept = await translateErrors(() =>
      this.#insert({
        _id: id,
        filename: key,
        length: stored.bytes,
        chunkSize: CHUNK_SIZE,
        uploadDate: new Date(),
        metadata: { sha256: stored.sha256, contentType: contentType ?? null },
      }),
    );
    if (kept?.metadata.sha256 !== stored.sha256) throw new BlobExists(key);
    if (kept._id !== id) await this.#discard(id);
    return stored;
  }

  /** Returns the file that has the key afterwards. */
  async #insert(file: FileRecord): Promise<FileRecord | undefined> {
    try {
      await this.#files.insertOne(file);
      return file;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return this.#find(file.filename);
    }
  }

  async #find(key: string): Promise<FileRecord | undefined> {
    return (await this.#files.findOne({ filename: key }, { maxTimeMS: READ_TIMEOUT_MS })) ?? undefined;
  }

  /** Chunks that can't be removed now are removed with the key. */
  async #discard(id: FileId): Promise<void> {
    await this.#chunks.deleteMany({ files_id: id }).catch(() => undefined);
  }
}
