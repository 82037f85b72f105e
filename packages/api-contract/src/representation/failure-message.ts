import type { PaymentFailureCode } from "@travel-booking/domain";

/** What a failed payment says to people. */
const MESSAGES: Readonly<Record<PaymentFailureCode, string>> = {
  card_declined: "The card was declined.",
  insufficient_funds: "The card has insufficient funds.",
  expired_card: "The card has expired.",
  incorrect_cvc: "The card's security code is incorrect.",
  incorrect_number: "The card number is incorrect.",
  do_not_honor: "The card's issuer declined the charge without giving a reason.",
  card_not_supported: "The card does not support this kind of purchase.",
  currency_not_supported: "The card does not support this currency.",
  authentication_required: "The card's issuer asks the holder to authenticate.",
  processing_error: "The charge could not be processed. Nothing was taken.",
  issuer_not_available: "The card's issuer could not be reached.",
  bank_transfer_expired: "The money did not arrive in time.",
  superseded: "The booking was paid by another payment.",
  booking_cancelled: "The booking was cancelled before it was paid.",
};

export function failureMessage(code: PaymentFailureCode): string {
  return MESSAGES[code];
}
