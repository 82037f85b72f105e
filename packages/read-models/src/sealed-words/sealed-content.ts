import { concatenate, inChunks, readBeginning } from "@travel-booking/runtime/content";
import { AES_HEAD_BYTES, SEAL_HEAD_BYTES, sealBytes, unsealBytes } from "@travel-booking/runtime/sealing";
import { keyBytes, type WordKey } from "./word-block.ts";

/** Begins sealed content, followed by the id of its key. No PDF, PNG or JPEG begins like this. */
const MAGIC = Buffer.from("\0sealed2");
/** The beginning in releases up to 1.0, and the bytes of each of their chunks besides its content. */
const FORMER_MAGIC = Buffer.from("\0sealed1");
/** A key's id, filled up with blanks. */
const KEY_ID_BYTES = 40;
const BEGINNING_BYTES = MAGIC.length + KEY_ID_BYTES;
/** The size of a chunk before it is sealed. */
const CHUNK_BYTES = 64 * 1_024;

/** The key of sealed content is gone. */
export class ErasedContent extends Error {
  override readonly name = "ErasedContent";
}

/** The largest sealed size of so many bytes. */
export function sealedSize(bytes: number): number {
  return BEGINNING_BYTES + bytes + SEAL_HEAD_BYTES * (Math.ceil(bytes / CHUNK_BYTES) + 1);
}

/**
 * Seals content chunk by chunk as it arrives. Each chunk is bound to `context`, its number, and whether it is the last.
 * So no chunk can be moved, left out or cut off.
 */
export async function* sealContent(
  { id, key }: WordKey,
  context: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const bytes = keyBytes(key);
  yield MAGIC;
  yield Buffer.from(id.padEnd(KEY_ID_BYTES));
  for await (const [chunk, place] of withPlaces(context, inChunks(content, CHUNK_BYTES))) {
    yield sealBytes(bytes, place, chunk);
  }
}

/**
 * The content that `sealContent` was given. Content that is not sealed is returned as it is.
 * @throws ErasedContent; Error: the content has another context, or is damaged.
 */
export async function* unsealContent(
  findKey: (keyId: string) => Promise<WordKey | null | undefined>,
  context: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const beginning = await readBeginning(pieces, BEGINNING_BYTES);
  const isFormer = beginning.subarray(0, MAGIC.length).equals(FORMER_MAGIC);
  const isSealed = isFormer || beginning.subarray(0, MAGIC.length).equals(MAGIC);
  const rest = concatenate(isSealed ? beginning.subarray(BEGINNING_BYTES) : beginning, pieces);
  if (!isSealed) return yield* rest;
  const found = await findKey(beginning.toString("latin1", MAGIC.length, BEGINNING_BYTES).trimEnd());
  if (!found) throw new ErasedContent(`${context} is erased`);
  const key = keyBytes(found.key);
  const chunkBytes = CHUNK_BYTES + (isFormer ? AES_HEAD_BYTES : SEAL_HEAD_BYTES);
  for await (const [chunk, place] of withPlaces(context, inChunks(rest, chunkBytes))) {
    yield unsealBytes(key, place, chunk);
  }
}

/** Yields each chunk with the data that it is bound to. Without content, one empty chunk. */
async function* withPlaces(
  context: string,
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly [chunk: Uint8Array, place: string]> {
  let number = 0;
  let last: Uint8Array | undefined;
  for await (const chunk of chunks) {
    if (last !== undefined) yield [last, `${context}.${number++}.more`];
    last = chunk;
  }
  yield [last ?? Buffer.alloc(0), `${context}.${number}.last`];
}
