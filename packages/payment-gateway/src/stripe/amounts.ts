/**
 * Stripe's amounts are in a currency's smallest unit, as ours are, except for these (docs/rules.md#amounts-at-stripe;
 * docs.stripe.com/currencies).
 */

/** Currencies without decimals whose amounts are still written with two zeros. */
const WITH_TWO_ZEROS: ReadonlySet<string> = new Set(["ISK", "UGX"]);
/** Currencies with three decimals, the last of which must be 0. */
const THREE_DECIMALS: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);
/** The amount in Stripe's form; undefined if it can't be written exactly. Stripe itself checks its limits. */
export function toStripeAmount(amount: number, currency: string): number | undefined {
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0) return undefined;
  const stripes = WITH_TWO_ZEROS.has(currency) ? amount * 100 : amount;
  return Number.isSafeInteger(stripes) && stripes >= 1 ? stripes : undefined;
}

/** Stripe's amount in our unit. @param currency as Stripe writes it, or as we do */
export function fromStripeAmount(amount: number, currency: string): number {
  return WITH_TWO_ZEROS.has(currency.toUpperCase()) ? amount / 100 : amount;
}
