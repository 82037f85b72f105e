/** No letter or digit that is taken for another when it is read out or typed. */
const ALPHABET = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789";
const LENGTH = 6;

/**
 * The six letters and digits that stand for a booking at a counter and in a barcode. Made of the last digits of its id,
 * which are random; two bookings may share one, so it finds none by itself.
 */
export function bookingCodeOf(bookingId: string): string {
  let value = 0n;
  for (const character of bookingId.slice(-12)) value = value * 36n + BigInt(Number.parseInt(character, 36) || 0);
  let code = "";
  for (let place = 0; place < LENGTH; place += 1) {
    code += ALPHABET[Number(value % BigInt(ALPHABET.length))];
    value /= BigInt(ALPHABET.length);
  }
  return code;
}
