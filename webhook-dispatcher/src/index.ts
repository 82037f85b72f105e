export { Dispatcher } from "./dispatcher.ts";
export type { DispatcherOptions } from "./dispatcher-options.ts";
export { deliveryMetrics, registerDispatcherGauges } from "./metrics.ts";
export { webhookOperatorRoutes } from "./operator-routes.ts";
