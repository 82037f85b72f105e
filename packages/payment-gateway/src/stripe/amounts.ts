/*
 * Stripe's amounts are in the smallest unit of a currency, as ours, but for these (docs/rules.md#amounts-at-stripe;
 * docs.stripe.com/currencies).
 */

/** Without decimals, and still written with two zeros. */
const WITH_TWO_ZEROS: ReadonlySet<string> = new Set(["ISK", "UGX"]);
/** Of three decimals, the last of which must be 0. */
const THREE_DECIMALS: ReadonlySet<string> = new Set(["BHD", "JOD", "KWD", "OMR", "TND"]);
/** What Stripe is to be told; undefined: it can't be told exactly this. How much it takes of a currency it knows itself. */
export function toStripeAmount(amount: number, currency: string): number | undefined {
  if (THREE_DECIMALS.has(currency) && amount % 10 !== 0) return undefined;
  const stripes = WITH_TWO_ZEROS.has(currency) ? amount * 100 : amount;
  return Number.isSafeInteger(stripes) && stripes >= 1 ? stripes : undefined;
}

/** What Stripe says, in our unit. @param currency as Stripe writes it, or as we do */
export function fromStripeAmount(amount: number, currency: string): number {
  return WITH_TWO_ZEROS.has(currency.toUpperCase()) ? amount / 100 : amount;
}
