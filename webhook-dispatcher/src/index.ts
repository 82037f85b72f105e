export { metricsTally, type Tally } from "./delivering/tally.ts";
export { Dispatcher } from "./hosting/dispatcher.ts";
export * from "./hosting/dispatcher-options.ts";
export { registerDispatcherGauges } from "./hosting/gauges.ts";
export { type OperatorRoutesOptions, webhookOperatorRoutes } from "./operator/routes.ts";
export { type Signed, type SigningKeys, sign, signingKeys } from "./sending/sign.ts";
