import { PAYMENT_FAILURE_CODES, type PaymentFailureCode } from "@travel-booking/domain";
import type { ChargeOutcome, TokenDetails } from "../port.ts";

type Card = Extract<TokenDetails, { type: "card" }>["card"];

/** The behaviour of a sandbox token. `responseLost`: the charge takes effect, but the call times out. */
export interface SandboxToken {
  readonly card: Card;
  readonly outcome: ChargeOutcome;
  readonly responseLost: boolean;
}

/** Failure codes of bank transfers and bookings. No card declines with them. */
const NON_CARD_FAILURE_CODES: ReadonlySet<PaymentFailureCode> = new Set([
  "bank_transfer_expired",
  "superseded",
  "booking_cancelled",
]);

/** Failure codes that have a `tok_declined_<failureCode>`. */
export const CARD_FAILURE_CODES: readonly PaymentFailureCode[] = PAYMENT_FAILURE_CODES.filter(
  (code) => !NON_CARD_FAILURE_CODES.has(code),
);

const LAST4_OF_BRAND = {
  visa: "4242",
  mastercard: "4444",
  amex: "0005",
  discover: "1117",
  diners: "3237",
  jcb: "0505",
  unionpay: "0000",
} as const;

const SUCCEEDED: ChargeOutcome = { status: "succeeded" };
const LAST4_OF_DECLINED = "0002";
const LAST4_OF_LOST_RESPONSE = "0119";

function cardOf(brand: string, last4: string): Card {
  return { brand, last4, expMonth: 12, expYear: 2099 };
}

/** The card, already expired before any charge, to match its failure code. */
function expired(card: Card): Card {
  return { ...card, expMonth: 1, expYear: 2020 };
}

function* sandboxTokens(): Generator<readonly [token: string, SandboxToken]> {
  for (const [brand, last4] of Object.entries(LAST4_OF_BRAND)) {
    yield [`tok_${brand}`, { card: cardOf(brand, last4), outcome: SUCCEEDED, responseLost: false }];
  }
  for (const failureCode of CARD_FAILURE_CODES) {
    const card = cardOf("visa", LAST4_OF_DECLINED);
    const outcome: ChargeOutcome = { status: "failed", failureCode };
    const shown = failureCode === "expired_card" ? expired(card) : card;
    yield [`tok_declined_${failureCode}`, { card: shown, outcome, responseLost: false }];
  }
  yield ["tok_timeout", { card: cardOf("visa", LAST4_OF_LOST_RESPONSE), outcome: SUCCEEDED, responseLost: true }];
}

/** The sandbox tokens, one per outcome (docs/rules.md#sandbox-tokens), for cards and wallets. */
export const SANDBOX_TOKENS: ReadonlyMap<string, SandboxToken> = new Map(sandboxTokens());

/** All sandbox tokens except those that decline. */
export const SANDBOX_TOKEN_NAMES: readonly string[] = [...SANDBOX_TOKENS.keys()].filter(
  (token) => !token.startsWith("tok_declined_"),
);
