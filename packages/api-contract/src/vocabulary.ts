/** The types of public events (docs/rules.md#event-types). */
export const EVENT_TYPES = [
  "booking.confirmed",
  "booking.changed",
  "booking.cancelled",
  "payment.succeeded",
  "payment.failed",
] as const;

export type EventType = (typeof EVENT_TYPES)[number];

export const CARD_BRANDS = ["visa", "mastercard", "amex", "discover", "diners", "jcb", "unionpay", "unknown"] as const;
