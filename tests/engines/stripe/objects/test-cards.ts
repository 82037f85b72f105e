import type { Shape } from "./shape.ts";

/** What a test card does. */
export interface TestCard {
  readonly brand: string;
  readonly last4: string;
  readonly wallet: string | null;
  /** Undefined: it pays. */
  readonly decline?: { readonly code: string; readonly declineCode?: string };
  /** Its refunds wait, or fail after they have succeeded. */
  readonly refunds?: "pending" | "failing";
  readonly disputed?: true;
}

const card = (brand: string, last4: string, more: Partial<TestCard> = {}): TestCard => ({
  brand,
  last4,
  wallet: null,
  ...more,
});
const declined = (last4: string, code: string, declineCode?: string): TestCard =>
  card("visa", last4, { decline: { code, ...(declineCode !== undefined && { declineCode }) } });

/** Stripe's test cards, by the name behind `tok_` or `pm_card_`. */
const CARDS: Readonly<Record<string, TestCard>> = {
  visa: card("visa", "4242"),
  mastercard: card("mastercard", "4444"),
  amex: card("amex", "0005"),
  discover: card("discover", "1117"),
  diners: card("diners", "0004"),
  jcb: card("jcb", "0505"),
  unionpay: card("unionpay", "0005"),
  chargeDeclined: declined("0002", "card_declined", "generic_decline"),
  chargeDeclinedInsufficientFunds: declined("9995", "card_declined", "insufficient_funds"),
  chargeDeclinedLostCard: declined("9987", "card_declined", "lost_card"),
  chargeDeclinedStolenCard: declined("9979", "card_declined", "stolen_card"),
  chargeDeclinedFraudulent: declined("0019", "card_declined", "fraudulent"),
  chargeDeclinedExpiredCard: declined("0069", "expired_card"),
  chargeDeclinedIncorrectCvc: declined("0127", "incorrect_cvc"),
  chargeDeclinedProcessingError: declined("0119", "processing_error"),
  authenticationRequired: declined("3184", "authentication_required", "authentication_required"),
  threeDSecure2Required: declined("3220", "authentication_required", "authentication_required"),
  pendingRefund: card("visa", "7726", { refunds: "pending" }),
  refundFail: card("visa", "5126", { refunds: "failing" }),
  createDispute: card("visa", "0259", { disputed: true }),
};

/** The double's own token whose charge succeeds, and whose first answer is lost. */
export const ANSWER_LOST = "tok_double_answer_lost";

/**
 * The card that a test token stands for; undefined: Stripe does not know it. `tok_double_declined_<decline code>` and
 * `tok_double_<wallet>` (each also with `pm_`) are the double's own, for what Stripe has no test card for.
 */
export function testCard(token: string): TestCard | undefined {
  if (token === ANSWER_LOST) return CARDS.visa;
  const own = /^(?:tok|pm)_double_(?:declined_(.+)|(apple_pay|google_pay|samsung_pay))$/.exec(token);
  if (own?.[1] !== undefined) return declined("0002", "card_declined", own[1]);
  if (own?.[2] !== undefined) return card("visa", "4242", { wallet: own[2] });
  const name = /^(?:tok|pm_card)_(?:visa_)?(.+)$/.exec(token)?.[1] ?? "";
  return Object.hasOwn(CARDS, name) ? CARDS[name] : undefined;
}

/** As it stands in a charge and in a payment method. */
export function cardShape({ brand, last4, wallet }: TestCard): Shape {
  return {
    brand,
    last4,
    exp_month: 12,
    exp_year: 2034,
    country: "US",
    funding: "credit",
    wallet: wallet === null ? null : { type: wallet, dynamic_last4: null },
  };
}
