import { crc32 } from "node:zlib";

const CHECKSUM_BYTES = 4;

/** Prefixes the bytes with their CRC-32, which `verifyChecksum` checks. */
export function withChecksum(content: Uint8Array): Buffer {
  const record = Buffer.allocUnsafe(CHECKSUM_BYTES + content.length);
  record.writeUInt32LE(crc32(content), 0);
  record.set(content, CHECKSUM_BYTES);
  return record;
}

/** The content of a record; undefined if its checksum is wrong. */
export function verifyChecksum(record: Buffer): Buffer | undefined {
  if (record.length < CHECKSUM_BYTES) return undefined;
  const content = record.subarray(CHECKSUM_BYTES);
  return crc32(content) === record.readUInt32LE(0) ? content : undefined;
}
