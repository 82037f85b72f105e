import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { concatenate, inChunks, readBeginning } from "@travel-booking/runtime/content";
import { keyObject, type WordKey } from "./word-seal.ts";

/** Begins sealed content, with the id of its key behind it; no PDF, PNG or JPEG begins so. */
const MAGIC = Buffer.from("\0sealed1");
/** A key's id, filled up with blanks. */
const KEY_ID_BYTES = 40;
const BEGINNING_BYTES = MAGIC.length + KEY_ID_BYTES;
const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEAD_BYTES = NONCE_BYTES + TAG_BYTES;
/** Of a chunk, before it is sealed. */
const CHUNK_BYTES = 64 * 1_024;

/** The key of sealed content is gone. */
export class ErasedContent extends Error {
  override readonly name = "ErasedContent";
}

/** The most that so many bytes become. */
export function sealedSize(bytes: number): number {
  return BEGINNING_BYTES + bytes + HEAD_BYTES * (Math.ceil(bytes / CHUNK_BYTES) + 1);
}

/**
 * Seals content chunk by chunk as it arrives. Each chunk is bound to `context`, its number, and whether it is the last: so none can be
 * moved, left out or cut off.
 */
export async function* sealContent(
  { id, key }: WordKey,
  context: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  yield MAGIC;
  yield Buffer.from(id.padEnd(KEY_ID_BYTES));
  let number = 0;
  const seal = (chunk: Uint8Array, isLast: boolean) => {
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, keyObject(key), nonce).setAAD(placeOf(context, number++, isLast));
    const sealed = cipher.update(chunk);
    cipher.final();
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]);
  };
  let last: Uint8Array = Buffer.alloc(0);
  for await (const chunk of inChunks(content, CHUNK_BYTES)) {
    if (last.length > 0) yield seal(last, false);
    last = chunk;
  }
  yield seal(last, true);
}

/**
 * The content that `sealContent` was given; content that is not sealed as it is.
 * @throws ErasedContent; Error: it is another's, or damaged.
 */
export async function* unsealContent(
  findKey: (keyId: string) => Promise<WordKey | null | undefined>,
  context: string,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]();
  const beginning = await readBeginning(pieces, BEGINNING_BYTES);
  const isSealed = beginning.subarray(0, MAGIC.length).equals(MAGIC);
  const rest = concatenate(isSealed ? beginning.subarray(BEGINNING_BYTES) : beginning, pieces);
  if (!isSealed) return yield* rest;
  const found = await findKey(beginning.toString("latin1", MAGIC.length, BEGINNING_BYTES).trimEnd());
  if (!found) throw new ErasedContent(`${context} is erased`);
  let number = 0;
  const open = (chunk: Uint8Array, isLast: boolean) => {
    const decipher = createDecipheriv(CIPHER, keyObject(found.key), chunk.subarray(0, NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(placeOf(context, number++, isLast))
      .setAuthTag(chunk.subarray(NONCE_BYTES, HEAD_BYTES));
    return Buffer.concat([decipher.update(chunk.subarray(HEAD_BYTES)), decipher.final()]);
  };
  let last: Uint8Array | undefined;
  for await (const chunk of inChunks(rest, HEAD_BYTES + CHUNK_BYTES)) {
    if (last !== undefined) yield open(last, false);
    last = chunk;
  }
  yield open(last ?? Buffer.alloc(0), true);
}

function placeOf(context: string, number: number, isLast: boolean): Buffer {
  return Buffer.from(`${context}.${number}.${isLast ? "last" : "more"}`);
}
