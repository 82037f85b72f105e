/** Milliseconds since the epoch fit until the year 33658. */
const TIME_DIGITS = 15;

/** A moment (milliseconds since the epoch) as text that sorts as time does; before the epoch there is nothing. */
export function timeSort(at: number): string {
  return String(Math.max(at, 0)).padStart(TIME_DIGITS, "0");
}
