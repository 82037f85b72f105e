/** What a price is made of, in cents. */
export interface PriceParts {
  /** For one passenger. */
  readonly fareAmount: number;
  readonly passengers: number;
  /** One per chosen seat. */
  readonly surcharges: readonly number[];
}

/** Cents before any credit (docs/rules.md#price). */
export function priceOf(parts: PriceParts): number {
  return parts.fareAmount * parts.passengers + sumOf(parts.surcharges);
}

/** Cents to pay after credit: never below zero. */
export function totalAmountOf(parts: PriceParts, creditApplied: number): number {
  return Math.max(0, priceOf(parts) - creditApplied);
}

export function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
