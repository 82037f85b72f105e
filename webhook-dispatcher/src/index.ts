export { Dispatcher } from "./dispatcher.ts";
export type { DispatcherOptions } from "./dispatcher-options.ts";
export { type WebhookPart, webhookRole } from "./webhook-role.ts";
