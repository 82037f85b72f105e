import { openGridFsBlobStore } from "@travel-booking/engines/blob-store/gridfs";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { chooseGateway } from "@travel-booking/payment-gateway/gateways";
import {
  assignedSeatsRoute,
  logHeadRoute,
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  serveParts,
} from "@travel-booking/service-host";
import { openSharedApiCore, sharedProjectorControl } from "@travel-booking/service-host/compose";
import { DueDeliveries, LANE_QUEUE } from "@travel-booking/webhooks/deliveries";
import { commandRole } from "./composition/command-role.ts";
import { remoteDeliveryWork } from "./composition/due-tasks.ts";
import { noBackupRoute } from "./operator/system.ts";

/** The command-service as a service of its own, on servers it shares with other instances. */
async function startCommandService(host: ServiceContext): Promise<string> {
  const { shutdown } = host;
  const settings = requireSettings(
    host.settings,
    "eventStoreUrl",
    "mongodbUrl",
    "redisUrl",
    "secretKey",
    "operatorToken",
  );
  const gateway = await chooseGateway(host.environment, settings);
  const servers = new ServerConnections(host);
  const events = servers.open("EventStoreDB", (options) => openEventStoreDb(settings.eventStoreUrl, options));
  const { knownLog } = events;
  const head = () => events.head();
  const core = {
    ...(await openSharedApiCore(host, settings, servers, () => head)),
    mayBegin: () => knownLog.problem === undefined,
  };
  const { mongo, redis, state, progress, clock } = core;
  const queue = openBullMqJobQueue(redis, LANE_QUEUE);
  shutdown.register("job queue", () => queue.close());
  const command = commandRole(host, core, {
    gateway,
    events,
    knownLog,
    marks: () => progress.marks(),
    blobs: openGridFsBlobStore(mongo),
    queue,
    projector: sharedProjectorControl(state, progress, head),
    deliveries: remoteDeliveryWork(new DueDeliveries({ ...core, store: state }), clock),
  });
  await command.compareLog();
  await command.start();
  const { trustedKey } = core.secretKeys;
  const forOthers = {
    plainRoutes: [logHeadRoute(trustedKey, head), assignedSeatsRoute(trustedKey, command.assignSeats)],
    operatorRoutes: [noBackupRoute],
  };
  return readyLines("command-service", await serveParts(host, core, [command, forOthers]), host);
}

await runService("command-service", startCommandService);
