import { faultPoint } from "@travel-booking/command-service";
import { MemoryJobQueue } from "@travel-booking/engines/job-queue";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { Clock, Metrics } from "@travel-booking/runtime";
import type { Host } from "@travel-booking/service-host";
import { ALWAYS_HELD, Dispatcher, metricsTally, registerDispatcherGauges } from "@travel-booking/webhook-dispatcher";
import { DeliveryLog } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";

export interface WebhookDeliveringOptions {
  readonly secretKey: string;
  readonly state: StateStore;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly clock: Clock;
  readonly metrics: Metrics;
}

/** The dispatcher of the one process, not started yet, and what the other services know of its deliveries. */
export function webhookDelivering(host: Host, options: WebhookDeliveringOptions) {
  const { settings, logger, shutdown } = host;
  const { secretKey, state, models, progress, clock, metrics } = options;
  const queue = new MemoryJobQueue({
    onProblem: (error) => logger.warn({ err: error }, "a wake-up for webhooks failed and is tried again"),
  });
  const dispatcher = new Dispatcher({
    state,
    models,
    progress,
    queue,
    leads: ALWAYS_HELD,
    holder: null,
    clock,
    secrets: new WebhookSecrets(state, secretKey),
    allowPrivate: settings.webhookAllowPrivateTargets,
    tally: metricsTally(metrics),
    logger,
    reached: faultPoint(process.env),
  });
  registerDispatcherGauges({ metrics, state, clock, due: dispatcher.due });
  return {
    deliveries: new DeliveryLog({ store: state, wake: (lane) => queue.wake(lane) }),
    dispatcher,
    /** To be called when the read models show all of the log. */
    start() {
      dispatcher.start();
      shutdown.register("webhook dispatcher", async () => {
        await dispatcher.stop();
        await queue.close();
      });
    },
  };
}
