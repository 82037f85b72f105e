/** Words of the public interface that no rule of the domain turns on (docs/rules.md#words). */
export const CARD_BRANDS = ["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"] as const;
export type CardBrand = (typeof CARD_BRANDS)[number];

export const WALLET_TYPES = ["apple_pay", "google_pay", "samsung_pay", "paypal"] as const;
export type WalletType = (typeof WALLET_TYPES)[number];

export const BOOKING_STATUSES = ["pending", "confirmed", "cancelled"] as const;
export const PAYMENT_STATUSES = ["pending", "succeeded", "failed"] as const;
export const REFUND_STATUSES = ["pending", "succeeded"] as const;
export const TRANSACTION_TYPES = ["earn", "redeem", "expire", "adjust"] as const;
export const REDEMPTION_STATUSES = ["completed"] as const;
export const ACTOR_KINDS = ["credential", "operator", "system"] as const;

/** What an account is told of its bookings and payments (docs/rules.md#event-types). */
export const EVENT_TYPES = [
  "booking.confirmed",
  "booking.changed",
  "booking.cancelled",
  "payment.succeeded",
  "payment.failed",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** What came of one attempt to deliver an event; `exhausted`: it failed, and was the last. */
export const DELIVERY_STATUSES = ["succeeded", "failed", "exhausted"] as const;
export const ENDPOINT_STATUSES = ["active", "failing", "paused"] as const;
