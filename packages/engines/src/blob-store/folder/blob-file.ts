import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { type DiskSpace, noRoom } from "../../disk-space/index.ts";
import { ContentMeter } from "../content.ts";
import { BlobStoreUnavailable, DamagedBlob, type PutBlobOptions, type StoredBlob } from "../index.ts";
import { asUnavailable, codeOf, translateDiskErrors } from "./disk.ts";

/** Writes a new file. When this resolves, its content is flushed, but not its name. */
export async function writeBlob(
  path: string,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { maxBytes, contentType }: PutBlobOptions,
  disk: DiskSpace | undefined,
): Promise<StoredBlob> {
  const file = await translateDiskErrors(() => open(path, "wx"));
  try {
    const append = (bytes: Uint8Array) => translateDiskErrors(() => file.appendFile(bytes));
    const measured = new ContentMeter(content, maxBytes);
    for await (const piece of measured.read()) {
      if (disk?.takesCommands === false) throw noRoom(BlobStoreUnavailable);
      await append(piece);
    }
    const stored = measured.result();
    await append(encodeFooter({ key, ...stored, contentType: contentType ?? null }));
    await translateDiskErrors(() => file.sync());
    return stored;
  } finally {
    await file.close();
  }
}

/** Undefined if there is no such file. @throws DamagedBlob */
export async function readFooterOf(path: string, key: string): Promise<Footer | undefined> {
  const file = await open(path, "r").catch((error: unknown) => {
    if (codeOf(error) !== "ENOENT") throw error;
    return undefined;
  });
  if (file === undefined) return undefined;
  try {
    const { size } = await file.stat();
    const tail = Buffer.alloc(Math.min(size, LONGEST));
    await file.read(tail, 0, tail.length, size - tail.length);
    const footer = parseFooter(tail, size);
    if (footer?.key !== key) throw new DamagedBlob(key);
    return footer;
  } finally {
    await file.close();
  }
}

/** Keeps the file open from the first piece to the last. Yields nothing if the file is gone. */
export async function* readContent(path: string, bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  if (bytes === 0) return;
  try {
    yield* createReadStream(path, { end: bytes - 1 });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw asUnavailable(error);
  }
}

/**
 * The footer of a stored file: JSON in UTF-8, then its length in four bytes. It follows the content, because the hash
 * of the content is known only after writing.
 */
interface Footer extends StoredBlob {
  readonly key: string;
  readonly contentType: string | null;
}

const LENGTH_BYTES = 4;
/** Far longer than any footer: a key and a content type are short. */
const LONGEST = 16 * 1_024;

function encodeFooter(footer: Footer): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length]);
}

/** Undefined if there is no footer, or it does not match the content. @param tail the end of a file of `size` bytes. */
function parseFooter(tail: Buffer, size: number): Footer | undefined {
  try {
    const end = tail.length - LENGTH_BYTES;
    const length = tail.readUInt32BE(end);
    const footer: Footer = JSON.parse(tail.toString("utf8", end - length, end));
    return footer.bytes === size - LENGTH_BYTES - length ? footer : undefined;
  } catch {
    return undefined;
  }
}
