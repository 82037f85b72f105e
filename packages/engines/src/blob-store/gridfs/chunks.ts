import { Binary, type Collection, type ObjectId } from "mongodb";
import { CHUNK_SIZE, type ChunkRecord } from "./gridfs-records.ts";
import { rechunk } from "./rechunk.ts";
import { READ_TIMEOUT_MS, translateErrors } from "./translate-errors.ts";

/** Of one message. */
const CHUNKS_PER_BATCH = 8;

/** @throws BlobStoreUnavailable */
export async function writeChunks(
  chunks: Collection<ChunkRecord>,
  id: ObjectId,
  pieces: AsyncIterable<Uint8Array>,
): Promise<void> {
  let n = 0;
  for await (const chunk of rechunk(pieces, CHUNK_SIZE)) {
    const record = { files_id: id, n: n++, data: new Binary(chunk) };
    await translateErrors(() => chunks.insertOne(record));
  }
}

/** Ends where one is missing. @throws BlobStoreUnavailable */
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
