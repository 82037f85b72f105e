/** LMDB reads what is behind a key in its buffer. */
const AFTER_KEY = 4;

/** Keys that are text, in UTF-8, for `keyEncoder`. LMDB's own encoder takes three times as long. */
export const TEXT_KEYS = {
  writeKey(key: string, target: Buffer, start: number): number {
    const end = start + target.write(key, start);
    if (end > target.length - AFTER_KEY) throw new RangeError("the key is too long");
    return end;
  },
  readKey: (source: Buffer, start: number, end: number): string => source.toString("utf8", start, end),
};
