import { Binary, type Collection, type ObjectId } from "mongodb";
import { chunked } from "./chunked.ts";
import { CHUNK_SIZE, type ChunkRecord } from "./gridfs-records.ts";
import { READ_MS, reach } from "./reach.ts";

/** Of one message. */
const CHUNKS_AT_ONCE = 8;

/** @throws BlobStoreUnavailable */
export async function writeChunks(
  chunks: Collection<ChunkRecord>,
  id: ObjectId,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let n = 0;
  for await (const chunk of chunked(pieces, CHUNK_SIZE)) {
    const record = { files_id: id, n: n++, data: new Binary(chunk) };
    await reach(() => chunks.insertOne(record));
  }
}

/** Ends where one is missing. @throws BlobStoreUnavailable */
export async function* readChunks(
  chunks: Collection<ChunkRecord>,
  id: ObjectId,
): AsyncGenerator<Uint8Array, void, undefined> {
  const cursor = chunks.find({ files_id: id }, { sort: { n: 1 }, batchSize: CHUNKS_AT_ONCE, maxTimeMS: READ_MS });
  try {
    for (let n = 0; ; n++) {
      const chunk = await reach(() => cursor.next());
      if (chunk?.n !== n) return;
      yield chunk.data.value();
    }
  } finally {
    await cursor.close();
  }
}
