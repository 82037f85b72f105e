/** The same 32 hexadecimal digits for the same number. */
export function hexOf(number: number): string {
  return number.toString(16).padStart(32, "0");
}

/** A UUID by its form; the same for the same number. */
export function uuidOf(number: number): string {
  const hex = hexOf(number);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-7${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
}
