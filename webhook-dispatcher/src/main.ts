import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import {
  CommandServiceUnavailable,
  logHeadClient,
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  serve,
  syncClock,
} from "@travel-booking/service-host";
import { composeApiService } from "@travel-booking/service-host/compose";
import { EndpointDeliveries, LANE_QUEUE, untilDeliverable } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { targetRules } from "@travel-booking/webhooks/targets";
import { Dispatcher } from "./dispatcher.ts";
import { deliveryMetrics, registerDispatcherGauges } from "./metrics.ts";
import { webhookOperatorRoutes } from "./operator-routes.ts";

/** Real time: how long an operator's request waits for the read models. */
const CATCH_UP_TIMEOUT_MS = 30_000;

/** The webhook-dispatcher as a service of its own, on servers it shares with other instances. */
async function startDispatcherService(host: ServiceContext): Promise<string> {
  const { logger, shutdown } = host;
  const settings = requireSettings(
    host.settings,
    "mongodbUrl",
    "redisUrl",
    "secretKey",
    "operatorToken",
    "commandServiceUrl",
  );
  const service = await composeApiService(host, settings, new ServerConnections(host));
  const { secretKey, trustedKey } = service.keys;
  const { state, words, models, progress, clock, metrics, health, redis } = service;
  if (settings.sandboxClock) syncClock(clock, shutdown);

  const queue = openBullMqJobQueue(redis, LANE_QUEUE);
  shutdown.register("job queue", () => queue.close());
  const dispatcher = new Dispatcher({
    state,
    models,
    progress,
    queue,
    shared: { leases: service.leases, holder: service.instanceId },
    clock,
    secrets: new WebhookSecrets(state, secretKey),
    words,
    targets: targetRules(settings),
    deliveryMetrics: deliveryMetrics(metrics),
    logger,
  });
  registerDispatcherGauges({ metrics, state, clock, due: dispatcher.due });
  dispatcher.start();
  shutdown.register("dispatcher", () => dispatcher.stop());

  const head = logHeadClient(settings.commandServiceUrl, trustedKey);
  const waitUntilCaughtUp = async () => {
    const last = await head().catch((error: unknown) => {
      // Nobody writes while no command-service is there: an operator sees what is known.
      if (error instanceof CommandServiceUnavailable) return undefined;
      throw error;
    });
    if (last !== undefined) await untilDeliverable(progress, last, CATCH_UP_TIMEOUT_MS);
  };
  const deliveries = new EndpointDeliveries({ store: state, wake: (lane) => queue.schedule(lane) });
  const app = service.publicApp({
    routes: dispatcher.routes,
    positions: service.writePositions(head),
    issuesTokens: false,
  });
  const urls = await serve(host, app, {
    token: settings.operatorToken,
    state,
    routes: webhookOperatorRoutes({ dispatcher, deliveries, models, words, clock, waitUntilCaughtUp }),
    metrics,
    health,
  });
  return readyLines("webhook-dispatcher", urls, host);
}

await runService("webhook-dispatcher", startDispatcherService);
