import { crc32 } from "node:zlib";

const CHECKSUM_BYTES = 4;

/** The bytes behind their CRC-32, so that `verifyChecksum` can tell whether they are still what was written. */
export function withChecksum(content: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(CHECKSUM_BYTES + content.length);
  record.writeUInt32LE(crc32(content), 0);
  record.set(content, CHECKSUM_BYTES);
  return record;
}

/** The content of a sealed record; undefined where it is not what was sealed. */
export function verifyChecksum(record: Buffer): Buffer | undefined {
  if (record.length < CHECKSUM_BYTES) return undefined;
  const content = record.subarray(CHECKSUM_BYTES);
  return crc32(content) === record.readUInt32LE(0) ? content : undefined;
}
