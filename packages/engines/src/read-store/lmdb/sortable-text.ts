/**
 * Text as bytes that sort as the text does, by code unit: every UTF-16 code unit is written on its own, in the form
 * UTF-8 has for it (CESU-8, Unicode Technical Report 26). Any string comes back as it was, lone surrogates included.
 * Answers where the text ends, or -1 where `limit` cuts it off; what fits has been written then.
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

/** Higher than the first byte of any text. */
export const TEXT_UPPER_BOUND = 0xff;

/** What `writeText` wrote. */
export function readText(bytes: Buffer, start: number, end: number): string {
  let ascii = true;
  for (let at = start; at < end && ascii; at++) ascii = byteAt(bytes, at) < 0x80;
  if (ascii) return bytes.toString("latin1", start, end);
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
