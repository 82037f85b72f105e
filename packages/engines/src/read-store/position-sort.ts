/** A position is a 64-bit number. */
const DIGITS = 20;

/** A log position as text that sorts as the log does: lists ordered by creation neither skip nor repeat. */
export function positionSort(position: bigint): string {
  return String(position).padStart(DIGITS, "0");
}
