/** Bytes after a key in LMDB's buffer, which LMDB reads, too. */
const AFTER_KEY = 4;

/** A `keyEncoder` for keys that are text, in UTF-8. LMDB's own encoder takes three times as long. */
export const TEXT_KEYS = {
  writeKey(key: string, target: Buffer, start: number): number {
    const end = start + target.write(key, start);
    if (end > target.length - AFTER_KEY) throw new RangeError("the key is too long");
    return end;
  },
  readKey: (source: Buffer, start: number, end: number): string => source.toString("utf8", start, end),
};
