/** Words of the public interface that no rule of the domain turns on (decisions, "Enumerations"). */
export const CARD_BRANDS = ["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"] as const;
export type CardBrand = (typeof CARD_BRANDS)[number];

export const WALLET_TYPES = ["apple_pay", "google_pay", "samsung_pay", "paypal"] as const;
export type WalletType = (typeof WALLET_TYPES)[number];

export const BOOKING_STATUSES = ["pending", "confirmed", "cancelled"] as const;
export const PAYMENT_STATUSES = ["pending", "succeeded", "failed"] as const;
export const REFUND_STATUSES = ["pending", "succeeded"] as const;
export const ACTOR_KINDS = ["credential", "operator", "system"] as const;
