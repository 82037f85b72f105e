const LONGEST = 21;

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

/** Whether a reference, written with or without spaces, is one and its check digits are right. */
export function isCreditorReference(reference: string): boolean {
  const compact = compactReference(reference);
  return /^RF[0-9]{2}[0-9A-Z]{1,21}$/.test(compact) && modulo97(compact.slice(4) + compact.slice(0, 4)) === 1;
}

/** A reference as it is compared: people write it in groups of four and in lower case. */
export function compactReference(reference: string): string {
  return reference.replace(/\s/g, "").toUpperCase();
}

function modulo97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value < 10 ? 10 : 100) + value) % 97;
  }
  return remainder;
}
