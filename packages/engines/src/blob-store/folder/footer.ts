import type { FileHandle } from "node:fs/promises";
import type { StoredBlob } from "../port.ts";

/**
 * A stored file: the content, then what is known of it as JSON in UTF-8, then the length of that in four bytes. It is
 * at the end because it is known only when the content has been written.
 */
export interface Footer extends StoredBlob {
  readonly key: string;
  readonly contentType: string | null;
}

const LENGTH_BYTES = 4;
/** No footer is longer: a key and a content type are short. */
const LONGEST = 64 * 1_024;

export function encodeFooter(footer: Footer): Buffer {
  const json = Buffer.from(JSON.stringify(footer));
  const length = Buffer.alloc(LENGTH_BYTES);
  length.writeUInt32BE(json.length);
  return Buffer.concat([json, length]);
}

/** Undefined where there is none, or it does not fit what stands before it. */
export async function readFooter(file: FileHandle): Promise<Footer | undefined> {
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
