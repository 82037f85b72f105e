import { Readable } from "node:stream";
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
  type FileId,
  type FileRecord,
  fileIdsOf,
  GridFsCollections,
  newFileId,
  READ_TIMEOUT_MS,
  readChunks,
  translateErrors,
  writeChunks,
} from "./chunks.ts";

/**
 * Blobs in GridFS. A file exists once its record does, which is written last. What a process that died has left of an
 * upload goes with its key. The store does not close the connection.
 */
export function openGridFsBlobStore(connection: MongoConnection): BlobStore {
  return new GridFsBlobStore(new GridFsCollections(connection));
}

class GridFsBlobStore implements BlobStore {
  readonly #collections: GridFsCollections;
  readonly #inFlight = new InFlightOperations();

  constructor(collections: GridFsCollections) {
    this.#collections = collections;
  }

  put(key: string, content: AsyncIterable<Uint8Array>, options: PutBlobOptions): Promise<StoredBlob> {
    return this.#inFlight.run(async () => {
      checkKey(key);
      await translateErrors(() => this.#collections.ensureIndexes());
      const id = newFileId(key);
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
      const { files, chunks } = this.#collections;
      await translateErrors(async () => {
        const file = await files.findOneAndDelete({ filename: key });
        // Of a former release, perhaps.
        if (file !== null) await chunks.deleteMany({ files_id: file._id });
        await chunks.deleteMany({ files_id: fileIdsOf(key) });
      });
    });
  }

  close(): Promise<void> {
    return this.#inFlight.close();
  }

  async #upload(
    id: FileId,
    key: string,
    content: AsyncIterable<Uint8Array>,
    { maxBytes, contentType }: PutBlobOptions,
  ): Promise<StoredBlob> {
    const measured = new ContentMeter(content, maxBytes);
    await writeChunks(this.#collections.chunks, id, measured.read());
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

  /** What is left goes when the key is removed. */
  async #discard(id: FileId): Promise<void> {
    await this.#collections.chunks.deleteMany({ files_id: id }).catch(() => undefined);
  }
}
