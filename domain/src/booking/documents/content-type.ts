import type { DocumentContentType } from "./events.ts";

/** So many bytes tell what a file is. */
export const MAGIC_BYTES_LENGTH = 8;

const MAGIC_BYTES: readonly (readonly [DocumentContentType, readonly number[]])[] = [
  ["application/pdf", [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ["image/png", [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ["image/jpeg", [0xff, 0xd8, 0xff]],
];

/** What a file is by its first bytes, whatever anybody calls it; undefined where it is nothing that is taken. */
export function detectContentType(firstBytes: Uint8Array): DocumentContentType | undefined {
  return MAGIC_BYTES.find(([, beginning]) => beginning.every((byte, index) => firstBytes[index] === byte))?.[0];
}
