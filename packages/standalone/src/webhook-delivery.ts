import { InMemoryJobQueue } from "@travel-booking/engines/job-queue/memory";
import type { ReadModels } from "@travel-booking/engines/read-store";
import type { StateStore } from "@travel-booking/engines/state-store";
import type { ProjectionProgress } from "@travel-booking/read-models";
import type { SealedWords } from "@travel-booking/read-models/sealed-words";
import type { Clock, Metrics, SecretKey } from "@travel-booking/runtime";
import type { ServiceContext } from "@travel-booking/service-host";
import { Dispatcher, deliveryMetrics, registerDispatcherGauges } from "@travel-booking/webhook-dispatcher";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { targetRules } from "@travel-booking/webhooks/targets";

interface WebhookDeliveryOptions {
  readonly secretKey: SecretKey;
  readonly state: StateStore;
  readonly words: SealedWords;
  readonly models: ReadModels;
  readonly progress: ProjectionProgress;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly mayBegin: (() => boolean) | undefined;
}

/** The dispatcher of the single process, not started yet, and its deliveries for the other services. */
export function composeWebhookDelivery(host: ServiceContext, options: WebhookDeliveryOptions) {
  const { settings, logger, shutdown } = host;
  const { secretKey, state, words, models, progress, clock, metrics, mayBegin } = options;
  const queue = new InMemoryJobQueue();
  const dispatcher = new Dispatcher({
    state,
    models,
    progress,
    queue,
    clock,
    secrets: new WebhookSecrets(state, secretKey),
    words,
    targets: targetRules(settings),
    deliveryMetrics: deliveryMetrics(metrics),
    logger,
    mayBegin,
    reachedFaultPoint: host.reachedFaultPoint,
  });
  registerDispatcherGauges({ metrics, state, clock, due: dispatcher.due });
  return {
    deliveries: new EndpointDeliveries({ store: state, wake: (lane) => queue.schedule(lane) }),
    dispatcher,
    /** Call it after the read models have caught up with the log. */
    start() {
      shutdown.register("webhook dispatcher", async () => {
        await dispatcher.stop();
        await queue.close();
      });
      dispatcher.start();
    },
  };
}
