import type { Charge, TokenDetails } from "../port.ts";

/** Those of Stripe's brands and wallets that the API has, too. */
const BRANDS: ReadonlySet<string> = new Set(["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay"]);
const WALLETS: ReadonlySet<string> = new Set(["apple_pay", "google_pay", "samsung_pay"]);

/** A card as Stripe shows it, in a charge or in a payment method. */
interface StripeCard {
  readonly brand: string | null;
  readonly last4: string | null;
  readonly exp_month: number;
  readonly exp_year: number;
  readonly wallet?: { readonly type: string } | null;
}

/** Details of the payment method, as reported by Stripe; undefined if the API can't show it. */
export function detailsOf(method: Charge["method"], card: StripeCard | null | undefined): TokenDetails | undefined {
  if (card === null || card === undefined) return undefined;
  if (method === "wallet") {
    const type = card.wallet?.type;
    return type !== undefined && WALLETS.has(type) ? { type: "wallet", wallet: { type } } : undefined;
  }
  if (card.last4 === null) return undefined;
  const brand = card.brand !== null && BRANDS.has(card.brand) ? card.brand : "unknown";
  return {
    type: "card",
    card: { brand, last4: card.last4, expMonth: card.exp_month, expYear: card.exp_year },
  };
}
