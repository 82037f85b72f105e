import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import {
  CommandServiceUnavailable,
  logHeadClient,
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  serveParts,
  syncClock,
} from "@travel-booking/service-host";
import { openSharedApiCore } from "@travel-booking/service-host/compose";
import { LANE_QUEUE, untilDeliverable } from "@travel-booking/webhooks/deliveries";
import { webhookRole } from "./webhook-role.ts";

/** Real time: how long an operator's request waits for the read models. */
const CATCH_UP_TIMEOUT_MS = 30_000;

/** The webhook-dispatcher as a service of its own, on servers it shares with other instances. */
async function startDispatcherService(host: ServiceContext): Promise<string> {
  const { shutdown } = host;
  const settings = requireSettings(
    host.settings,
    "mongodbUrl",
    "redisUrl",
    "secretKey",
    "operatorToken",
    "commandServiceUrl",
  );
  const { commandServiceUrl, sandboxClock } = settings;
  const servers = new ServerConnections(host);
  const core = await openSharedApiCore(host, settings, servers, (key) => logHeadClient(commandServiceUrl, key));
  if (sandboxClock) syncClock(core.clock, shutdown);
  const queue = openBullMqJobQueue(core.redis, LANE_QUEUE);
  shutdown.register("job queue", () => queue.close());
  const waitUntilCaughtUp = async () => {
    const last = await core.head().catch((error: unknown) => {
      // Nobody writes while no command-service is there: an operator sees what is known.
      if (error instanceof CommandServiceUnavailable) return undefined;
      throw error;
    });
    if (last !== undefined) await untilDeliverable(core.progress, last, CATCH_UP_TIMEOUT_MS);
  };
  const webhooks = webhookRole(host, core, { queue, waitUntilCaughtUp });
  webhooks.start();
  return readyLines("webhook-dispatcher", await serveParts(host, core, [webhooks]), host);
}

await runService("webhook-dispatcher", startDispatcherService);
