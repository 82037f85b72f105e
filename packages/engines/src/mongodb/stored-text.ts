/**
 * MongoDB stores text as UTF-8 and sorts it by bytes; compatible servers reject U+0000. So that any text is restored
 * exactly, and sorts by UTF-16 code unit as in JavaScript, some code units are encoded:
 *
 * | code unit | encoded as |
 * |---|---|
 * | U+0000, U+0001 | U+0001 U+0001, U+0001 U+0002 |
 * | U+D800 to U+FFFF: surrogates, and what sorts after them | U+1D800 to U+1FFFF |
 */
const ESCAPE = 0x01;
const FIRST_HIGH = 0xd800;
const RAISED_BY = 0x10000;

export function encodeText(text: string): string {
  if (isPlain(text)) return text;
  let encoded = "";
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= ESCAPE) encoded += String.fromCharCode(ESCAPE, unit + 1);
    else encoded += String.fromCodePoint(unit < FIRST_HIGH ? unit : unit + RAISED_BY);
  }
  return encoded;
}

/** What `encodeText` encoded. */
export function decodeText(encoded: string): string {
  if (isPlain(encoded)) return encoded;
  let text = "";
  let escaped = false;
  for (const character of encoded) {
    const point = character.codePointAt(0) ?? 0;
    if (escaped) text += String.fromCharCode(point - 1);
    else if (point !== ESCAPE) text += String.fromCharCode(point < RAISED_BY ? point : point - RAISED_BY);
    escaped = point === ESCAPE && !escaped;
  }
  return text;
}

function isPlain(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit <= ESCAPE || unit >= FIRST_HIGH) return false;
  }
  return true;
}
