import type { Binary, ObjectId } from "mongodb";

/** A finished file, as GridFS describes it. A key is the name of one at most. */
export interface FileRecord {
  readonly _id: ObjectId;
  /** The key. */
  readonly filename: string;
  readonly length: number;
  readonly chunkSize: number;
  readonly uploadDate: Date;
  readonly metadata: { readonly sha256: string; readonly contentType: string | null };
}

/** A piece of a file, as GridFS describes it. */
export interface ChunkRecord {
  readonly files_id: ObjectId;
  readonly n: number;
  readonly data: Binary;
}

/** Chunks there may be without a file: one is being uploaded or removed, or whoever did died over it. */
export interface UnfinishedRecord {
  /** Of the file. */
  readonly _id: ObjectId;
  readonly since: Date;
}

/** Bytes of a chunk; what GridFS takes unless told. */
export const CHUNK_SIZE = 255 * 1_024;
