const LONGEST = 21;
const HEAD = 4;
const SHAPE = new RegExp(`^RF[0-9]{2}[0-9A-Z]{1,${LONGEST}}$`);

/**
 * A structured creditor reference, `RF` + two check digits + `text` (ISO 11649; the check is ISO 7064 MOD 97-10).
 * @throws RangeError `text` is not 1 to 21 letters and digits.
 */
export function creditorReference(text: string): string {
  const body = text.toUpperCase();
  if (!/^[0-9A-Z]+$/.test(body) || body.length > LONGEST) {
    throw new RangeError(`a creditor reference holds 1 to ${LONGEST} letters and digits, not ${JSON.stringify(text)}`);
  }
  const check = 98 - modulo97(`${body}RF00`);
  return `RF${String(check).padStart(2, "0")}${body}`;
}

/** Whether a text is a creditor reference, as `creditorReference` writes it. */
export function isCreditorReference(text: string): boolean {
  return SHAPE.test(text) && modulo97(text.slice(HEAD) + text.slice(0, HEAD)) === 1;
}

/** Spaces, hyphens, full stops, and invisible characters. */
const SEPARATORS = /[\s.\p{Dash}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** Letters that people write instead of digits. */
const DIGITS: Readonly<Record<string, string>> = { O: "0", I: "1", L: "1" };

/**
 * Possible creditor references in a text that a person typed: their check digits are right. If more letters or digits
 * follow the end of a reference is unclear. So there may be several, and the caller must know which one exists.
 */
export function referencesIn(text: string): readonly string[] {
  const compact = text.normalize("NFKC").replace(SEPARATORS, "").toUpperCase();
  const found = new Set<string>();
  for (const { index } of compact.matchAll(/RF/g)) {
    for (let length = HEAD + 1; length <= HEAD + LONGEST; length += 1) {
      const written = compact.slice(index, index + length);
      const withDigits = written.replace(/[OIL]/g, (letter) => DIGITS[letter] ?? letter);
      for (const read of [written, withDigits]) if (isCreditorReference(read)) found.add(read);
    }
  }
  return [...found];
}

function modulo97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}
