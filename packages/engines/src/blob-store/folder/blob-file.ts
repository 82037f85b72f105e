import { type FileHandle, open } from "node:fs/promises";
import { type DiskSpace, noRoom } from "../../disk-space/index.ts";
import { ContentMeter } from "../content.ts";
import { BlobStoreUnavailable, DamagedBlob, type PutBlobOptions, type StoredBlob } from "../index.ts";
import { codeOf, translateDiskErrors } from "./disk.ts";

/** Bytes per read. */
const PIECE = 64 * 1_024;

/** Writes a new file. Its content is flushed when this resolves; its name is not. */
export async function writeBlob(
  path: string,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { maxBytes, contentType }: PutBlobOptions,
  disk: DiskSpace | undefined,
): Promise<StoredBlob> {
  const file = await translateDiskErrors(() => open(path, "wx"));
  try {
    const measured = new ContentMeter(content, maxBytes);
    for await (const piece of measured.read()) {
      if (disk?.takesCommands === false) throw noRoom(BlobStoreUnavailable);
      await translateDiskErrors(() => file.appendFile(piece));
    }
    const stored = measured.result();
    await translateDiskErrors(() =>
      file.appendFile(encodeFooter({ key, ...stored, contentType: contentType ?? null })),
    );
    await translateDiskErrors(() => file.sync());
    return stored;
  } finally {
    await file.close();
  }
}

async function openExisting(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path, "r");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Undefined if there is no such file. @throws DamagedBlob */
export async function readFooterOf(path: string, key: string): Promise<Footer | undefined> {
  const file = await openExisting(path);
  if (file === undefined) return undefined;
  try {
    const footer = await readFooter(file);
    if (footer?.key !== key) throw new DamagedBlob(key);
    return footer;
  } finally {
    await file.close();
  }
}

/** Keeps the file open from the first piece to the last. Empty if it is gone. */
export async function* readContent(path: string, bytes: number): AsyncGenerator<Uint8Array, void, undefined> {
  const file = await translateDiskErrors(() => openExisting(path));
  if (file === undefined) return;
  try {
    for (let position = 0; position < bytes; ) {
      const wanted = Buffer.alloc(Math.min(PIECE, bytes - position));
      const at = position;
      const { bytesRead } = await translateDiskErrors(() => file.read(wanted, 0, wanted.length, at));
      if (bytesRead === 0) return;
      position += bytesRead;
      yield wanted.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}

/**
 * The footer of a stored file follows the content, as its hash is known only after writing: JSON in UTF-8, then the
 * length of that in four bytes.
 */
interface Footer extends StoredBlob {
  readonly key: string;
  readonly contentType: string | null;
}

const LENGTH_BYTES = 4;
/** Far longer than any footer: a key and a content type are short. */
const LONGEST = 64 * 1_024;

function encodeFooter(footer: Footer): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length]);
}

/** Undefined if there is none, or it does not match the content. */
async function readFooter(file: FileHandle): Promise<Footer | undefined> {
  const { size } = await file.stat();
  const length = (await readAt(file, size - LENGTH_BYTES, LENGTH_BYTES))?.readUInt32BE();
  if (length === undefined || length > LONGEST) return undefined;
  const json = await readAt(file, size - LENGTH_BYTES - length, length);
  const footer = json && parse(json.toString());
  return footer?.bytes === size - LENGTH_BYTES - length ? footer : undefined;
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer | undefined> {
  if (position < 0) return undefined;
  const { bytesRead, buffer } = await file.read(Buffer.alloc(length), 0, length, position);
  return bytesRead === length ? buffer : undefined;
}

function parse(json: string): Footer | undefined {
  try {
    return JSON.parse(json) as Footer;
  } catch {
    return undefined;
  }
}
