import { inChunks } from "@travel-booking/runtime/content";
import { Binary, type Collection, type ObjectId } from "mongodb";
import { type MongoConnection, translateMongoErrors } from "../../mongodb/index.ts";
import { BlobStoreUnavailable } from "../index.ts";

/** Chunks per message. */
const CHUNKS_PER_BATCH = 8;

/** @throws BlobStoreUnavailable */
export async function writeChunks(
  chunks: Collection<ChunkRecord>,
  id: ObjectId,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let n = 0;
  for await (const chunk of inChunks(pieces, CHUNK_SIZE)) {
    const record = { files_id: id, n: n++, data: new Binary(chunk) };
    await translateErrors(() => chunks.insertOne(record));
  }
}

/** Ends at a missing chunk. @throws BlobStoreUnavailable */
export async function* readChunks(
  chunks: Collection<ChunkRecord>,
  id: ObjectId,
): AsyncGenerator<Uint8Array, void, undefined> {
  const cursor = chunks.find(
    { files_id: id },
    { sort: { n: 1 }, batchSize: CHUNKS_PER_BATCH, maxTimeMS: READ_TIMEOUT_MS },
  );
  try {
    for (let n = 0; ; n++) {
      const chunk = await translateErrors(() => cursor.next());
      if (chunk?.n !== n) return;
      yield chunk.data.value();
    }
  } finally {
    await cursor.close();
  }
}

/** A finished file, as GridFS specifies. A key is the name of one file at most. */
export interface FileRecord {
  readonly _id: ObjectId;
  /** The key. */
  readonly filename: string;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
  readonly metadata: { readonly sha256: string; readonly contentType: string | null };
}

/** A piece of a file, as GridFS specifies. */
interface ChunkRecord {
  readonly files_id: ObjectId;
  readonly n: number;
  readonly data: Binary;
}

/** Marks chunks that may have no file: it is being uploaded or removed, or the process doing so has died. */
interface UnfinishedRecord {
  /** Id of the file. */
  readonly _id: ObjectId;
  readonly since: Date;
}

/** Bytes of a chunk; the default of GridFS. */
export const CHUNK_SIZE = 255 * 1_024;

/** The collections of the bucket. */
export class GridFsCollections {
  readonly files: Collection<FileRecord>;
  readonly chunks: Collection<ChunkRecord>;
  readonly unfinished: Collection<UnfinishedRecord>;

  constructor({ db }: MongoConnection) {
    this.files = db.collection("blobs.files");
    this.chunks = db.collection("blobs.chunks");
    this.unfinished = db.collection("blobs.unfinished");
  }

  /** Call it before writing: those that exist stay. */
  async ensureIndexes(): Promise<void> {
    await this.files.createIndex({ filename: 1 }, { unique: true });
    await this.chunks.createIndex({ files_id: 1, n: 1 }, { unique: true });
    await this.unfinished.createIndex({ since: 1 });
  }
}

/** Maximum removed with one put. */
const MAX_REMOVED = 10;

/** Removes leftovers of uploads and removals begun before this moment. A file with a record is finished. */
export async function removeAbandonedUploads(collections: GridFsCollections, before: Date): Promise<void> {
  const { files, unfinished } = collections;
  const abandoned = unfinished.find({ since: { $lt: before } }, { limit: MAX_REMOVED, maxTimeMS: READ_TIMEOUT_MS });
  for (const { _id } of await abandoned.toArray()) {
    const file = await files.findOne({ _id }, { projection: { _id: 1 }, maxTimeMS: READ_TIMEOUT_MS });
    if (file === null) await removeChunks(collections, _id);
    else await unfinished.deleteOne({ _id });
  }
}

/** Removes the chunks of a file without a record, then its mark. */
export async function removeChunks({ chunks, unfinished }: GridFsCollections, id: ObjectId): Promise<void> {
  await chunks.deleteMany({ files_id: id });
  await unfinished.deleteOne({ _id: id });
}

/** @throws BlobStoreUnavailable */
export function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  return translateMongoErrors(BlobStoreUnavailable, work);
}

/** After so many milliseconds without an answer the server counts as out of reach. */
export const READ_TIMEOUT_MS = 5_000;
