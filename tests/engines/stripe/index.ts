export type { BookedPayment, BookedRefund, StripeDoubleControl } from "./control.ts";
export { StripeDouble } from "./double.ts";
export type { Fault } from "./server/faults.ts";
export { signature } from "./webhooks.ts";
