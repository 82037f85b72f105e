export { type ClientOptions, TravelBooking } from "./client.ts";
export * from "./errors.ts";
export type { FollowedEvents, FollowOptions } from "./follow.ts";
export type * from "./generated.ts";
export type { Listing, Page } from "./listing.ts";
export type { PaymentOptions } from "./resources/payments.ts";
export { type CallOptions, type CommandOptions, serviceVersion } from "./transport.ts";
export { type ReceivedWebhook, verifyWebhook, WebhookVerificationError } from "./webhooks.ts";
