/** Our failure code for each of Stripe's codes that has the same meaning (docs/rules.md#declines-of-stripe). */
const FAILURE_CODES: Readonly<Record<string, string>> = {
  insufficient_funds: "insufficient_funds",
  expired_card: "expired_card",
  incorrect_cvc: "incorrect_cvc",
  invalid_cvc: "incorrect_cvc",
  incorrect_number: "incorrect_number",
  invalid_number: "incorrect_number",
  do_not_honor: "do_not_honor",
  card_not_supported: "card_not_supported",
  currency_not_supported: "currency_not_supported",
  authentication_required: "authentication_required",
  authentication_not_handled: "authentication_required",
  processing_error: "processing_error",
  issuer_not_available: "issuer_not_available",
};

/** @param code the decline code; without one, the error's code */
export function failureCodeOf(code: string): string {
  return (Object.hasOwn(FAILURE_CODES, code) && FAILURE_CODES[code]) || "card_declined";
}
