/** Whether a number is an amount of money that can move: whole cents, at least one. */
export function isValidAmount(amount: number): boolean {
  return Number.isSafeInteger(amount) && amount >= 1;
}
