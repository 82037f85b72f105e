import { randomUUID } from "node:crypto";
import { inChunks } from "@travel-booking/runtime/content";
import { Binary, type Collection, type ObjectId } from "mongodb";
import { READ_TIMEOUT_MS, translateMongoErrors } from "../../mongodb/index.ts";
import { BlobStoreUnavailable } from "../index.ts";

/** Chunks per message. */
const CHUNKS_PER_BATCH = 8;

/** @throws BlobStoreUnavailable */
export async function writeChunks(
  chunks: Collection<ChunkRecord>,
  id: FileId,
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
  id: FileId,
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

/** Begins with the key of the file, except for files of former releases. */
export type FileId = string | ObjectId;

/** A new id for each upload. Keys have no spaces. */
export function newFileId(key: string): FileId {
  return `${key} ${randomUUID()}`;
}

/** The ids of all uploads under a key, finished or not. "!" sorts right after the space. */
export function fileIdsOf(key: string) {
  return { $gt: `${key} `, $lt: `${key}!` };
}

/** A finished file, as GridFS specifies. A key names at most one file. */
export interface FileRecord {
  readonly _id: FileId;
  /** The key. */
  readonly filename: string;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
  readonly metadata: { readonly sha256: string; readonly contentType: string | null };
}

/** A piece of a file, as GridFS specifies. */
export interface ChunkRecord {
  readonly files_id: FileId;
  readonly n: number;
  readonly data: Binary;
}

/** Bytes of a chunk; the default of GridFS. */
export const CHUNK_SIZE = 255 * 1_024;

/** @throws BlobStoreUnavailable */
export function translateErrors<Result>(work: () => Promise<Result>): Promise<Result> {
  return translateMongoErrors(BlobStoreUnavailable, work);
}
