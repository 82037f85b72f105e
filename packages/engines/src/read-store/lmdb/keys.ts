/** The longest key of LMDB with its usual page size, and the longest of several values of a key. */
export const LONGEST = 1978;
/** The longest text stored, so that there is room for what stands beside it. */
export const LONGEST_STORED = 1900;

/**
 * Encodes text as bytes that sort like the text, by code unit: every UTF-16 code unit is encoded on its own in the form
 * of UTF-8 (CESU-8, Unicode Technical Report 26). Any string is restored exactly, lone surrogates included. Returns
 * where the text ends, or -1 if `limit` cuts it off, after writing what fits.
 */
export function writeText(text: string, target: Uint8Array, start: number, limit: number): number {
  let at = start;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) {
      if (at + 1 > limit) return -1;
      target[at++] = unit;
    } else if (unit < 0x800) {
      if (at + 2 > limit) return -1;
      target[at++] = 0xc0 | (unit >> 6);
      target[at++] = 0x80 | (unit & 0x3f);
    } else {
      if (at + 3 > limit) return -1;
      target[at++] = 0xe0 | (unit >> 12);
      target[at++] = 0x80 | ((unit >> 6) & 0x3f);
      target[at++] = 0x80 | (unit & 0x3f);
    }
  }
  return at;
}

/** Above the bytes of any text. */
export const ABOVE_TEXT = 0xff;

/** Decodes what `writeText` wrote. It differs from UTF-8 in surrogates, which are no UTF-8 and are decoded as U+FFFD. */
export function readText(bytes: Buffer, start: number, end: number): string {
  const decoded = bytes.toString("utf8", start, end);
  if (!decoded.includes("\ufffd")) return decoded;
  let text = "";
  for (let at = start; at < end; ) {
    const lead = byteAt(bytes, at);
    if (lead < 0x80) {
      text += String.fromCharCode(lead);
      at += 1;
    } else if (lead < 0xe0) {
      text += String.fromCharCode(((lead & 0x1f) << 6) | (byteAt(bytes, at + 1) & 0x3f));
      at += 2;
    } else {
      const unit = ((lead & 0x0f) << 12) | ((byteAt(bytes, at + 1) & 0x3f) << 6) | (byteAt(bytes, at + 2) & 0x3f);
      text += String.fromCharCode(unit);
      at += 3;
    }
  }
  return text;
}

function byteAt(bytes: Uint8Array, at: number): number {
  return bytes[at] ?? 0;
}

/** Whether a text is short enough to be stored. */
export function isStorable(text: string): boolean {
  return text.length <= SURELY_STORABLE || writeText(text, SCRATCH, 0, LONGEST_STORED) >= 0;
}

/** A UTF-16 code unit takes three bytes at most. */
const SURELY_STORABLE = LONGEST_STORED / 3;
const SCRATCH = new Uint8Array(LONGEST_STORED);

/** LMDB has no empty keys. */
const EMPTY = ABOVE_TEXT;

/** Documents have their keys as text. */
export const TEXT_KEYS = {
  writeKey(key: string, target: Uint8Array, start: number): number {
    if (key !== "") return writeText(key, target, start, start + LONGEST_STORED);
    target[start] = EMPTY;
    return start + 1;
  },
  readKey: readText,
};
