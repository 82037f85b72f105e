/**
 * Stripe's amounts are in a currency's smallest unit, as ours are, except for these (docs/rules.md#amounts-at-stripe;
 * docs.stripe.com/currencies).
 */

/** Currencies without decimals whose amounts are still written with two zeros. */
const WITH_TWO_ZEROS: ReadonlySet<string> = new Set(["ISK", "UGX"]);
/** Currencies that have decimals, in which Stripe takes whole units alone. */
const WHOLE_UNITS: Readonly<Record<string, number>> = { MGA: 100 };
/** Our amounts must be multiples of this. Of three decimals the last must be 0. */
export const AMOUNT_STEPS: Readonly<Record<string, number>> = {
  ...WHOLE_UNITS,
  ...Object.fromEntries(["BHD", "JOD", "KWD", "OMR", "TND"].map((currency) => [currency, 10])),
};

/** The amount in Stripe's form; undefined if it can't be written exactly. Stripe itself checks its limits. */
export function toStripeAmount(amount: number, currency: string): number | undefined {
  if (amount % (AMOUNT_STEPS[currency] ?? 1) !== 0) return undefined;
  const stripes = WITH_TWO_ZEROS.has(currency) ? amount * 100 : amount / (WHOLE_UNITS[currency] ?? 1);
  return Number.isSafeInteger(stripes) && stripes >= 1 ? stripes : undefined;
}

/** Stripe's amount in our unit. @param currency as Stripe writes it, or as we do */
export function fromStripeAmount(amount: number, currency: string): number {
  const known = currency.toUpperCase();
  return WITH_TWO_ZEROS.has(known) ? amount / 100 : amount * (WHOLE_UNITS[known] ?? 1);
}
