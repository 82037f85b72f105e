export { Dispatcher } from "./dispatcher.ts";
export type { DispatcherOptions } from "./dispatcher-options.ts";
export { type DeliveryMetrics, deliveryMetrics, registerDispatcherGauges } from "./metrics.ts";
export { type OperatorRoutesOptions, webhookOperatorRoutes } from "./operator-routes.ts";
export { type SignedHeaders, type SigningKeys, sign, signingKeys } from "./sending/sign.ts";
