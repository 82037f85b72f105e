export { Dispatcher } from "./composition/dispatcher.ts";
export * from "./composition/dispatcher-options.ts";
export { registerDispatcherGauges } from "./composition/gauges.ts";
export { type DeliveryMetrics, deliveryMetrics } from "./delivering/delivery-metrics.ts";
export { type OperatorRoutesOptions, webhookOperatorRoutes } from "./operator/routes.ts";
export { type SignedHeaders, type SigningKeys, sign, signingKeys } from "./sending/sign.ts";
