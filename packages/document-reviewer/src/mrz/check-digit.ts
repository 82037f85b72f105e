export const FILLER = "<";

const WEIGHTS = [7, 3, 1] as const;
const DIGIT_ZERO = 48;
const LETTER_A = 65;

/** The check digit of a text of A to Z, 0 to 9 and fillers (ICAO 9303-3, section 4.9). */
export function checkDigitOf(text: string): string {
  let sum = 0;
  for (let index = 0; index < text.length; index += 1) {
    sum += worthOf(text.charCodeAt(index)) * (WEIGHTS[index % WEIGHTS.length] ?? 0);
  }
  return String(sum % 10);
}

/** 0 to 9 count as themselves, A to Z as 10 to 35, a filler as nothing. */
function worthOf(code: number): number {
  if (code >= LETTER_A) return code - LETTER_A + 10;
  return code >= DIGIT_ZERO && code < DIGIT_ZERO + 10 ? code - DIGIT_ZERO : 0;
}
