import type { JobQueue } from "@travel-booking/engines/job-queue";
import type { ApiCore, Part, ServiceContext } from "@travel-booking/service-host";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { targetRules } from "@travel-booking/webhooks/targets";
import { Dispatcher } from "./dispatcher.ts";
import { deliveryMetrics, registerDispatcherGauges } from "./metrics.ts";
import { type OperatorRoutesOptions, webhookOperatorRoutes } from "./operator-routes.ts";

interface WebhookRoleOptions extends Pick<OperatorRoutesOptions, "waitUntilCaughtUp"> {
  readonly queue: JobQueue;
}

export interface WebhookPart extends Part {
  readonly dispatcher: Dispatcher;
  /** Call this after the read models have caught up with the log. */
  start(): void;
}

/** Turns public events into deliveries. */
export function webhookRole(host: ServiceContext, core: ApiCore, options: WebhookRoleOptions): WebhookPart {
  const { settings, logger, shutdown, reachedFaultPoint } = host;
  const { state, metrics, clock, secretKeys } = core;
  const { queue } = options;
  const dispatcher = new Dispatcher({
    ...core,
    queue,
    secrets: new WebhookSecrets(state, secretKeys.secretKey),
    targets: targetRules(settings),
    sandboxClock: settings.sandboxClock,
    deliveryMetrics: deliveryMetrics(metrics),
    logger,
    reachedFaultPoint,
  });
  registerDispatcherGauges({ metrics, state, clock, due: dispatcher.due });
  const deliveries = new EndpointDeliveries({ store: state, wake: (lane) => queue.schedule(lane) });
  return {
    routes: dispatcher.routes,
    operatorRoutes: webhookOperatorRoutes({ ...core, ...options, dispatcher, deliveries }),
    dispatcher,
    start() {
      if (settings.readOnly) return;
      shutdown.register("webhook dispatcher", () => dispatcher.stop());
      dispatcher.start();
    },
  };
}
