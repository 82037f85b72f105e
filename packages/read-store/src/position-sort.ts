const DIGITS = 20;

/** A position, or a revision, as text that sorts as the number does. */
export function positionSort(position: bigint | number): string {
  return String(position).padStart(DIGITS, "0");
}
