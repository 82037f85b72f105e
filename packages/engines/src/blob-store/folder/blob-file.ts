import { type FileHandle, open } from "node:fs/promises";
import { ContentMeter } from "../content-meter.ts";
import { DamagedBlob } from "../errors.ts";
import type { PutBlobOptions, StoredBlob } from "../port.ts";
import { codeOf, translateDiskErrors } from "./disk.ts";
import { encodeFooter, type Footer, readFooter } from "./footer.ts";

/** Bytes read at once. */
const PIECE = 64 * 1_024;

/** Writes a new file. It is flushed when this resolves; its name is not. */
export async function writeBlob(
  path: string,
  key: string,
  content: AsyncIterable<Uint8Array>,
  { maxBytes, contentType }: PutBlobOptions,
): Promise<StoredBlob> {
  const file = await translateDiskErrors(() => open(path, "wx"));
  try {
    const measured = new ContentMeter(content, maxBytes);
    for await (const piece of measured.read()) await translateDiskErrors(() => file.appendFile(piece));
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

/** Undefined where there is no such file. @throws DamagedBlob */
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

/** Holds the file open from the first piece to the last. Nothing where it is gone. */
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
