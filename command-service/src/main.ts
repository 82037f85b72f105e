import { openGridFsBlobStore } from "@travel-booking/engines/blob-store/gridfs";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { chooseGateway } from "@travel-booking/payment-gateway/gateways";
import { SkippedEvents } from "@travel-booking/read-models/control";
import {
  assignedSeatsRoute,
  logHeadRoute,
  readyLines,
  refuseWriteToAnotherLog,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  serve,
  sweepExpired,
  withProjectionFallback,
} from "@travel-booking/service-host";
import { composeApiService, sharedProjectorControl } from "@travel-booking/service-host/compose";
import { DueDeliveries, EndpointDeliveries, LANE_QUEUE } from "@travel-booking/webhooks/deliveries";
import { targetRules } from "@travel-booking/webhooks/targets";
import { commandSide } from "./composition/command-side.ts";
import { remoteDeliveryWork } from "./composition/due-tasks.ts";
import { giveUpLog } from "./composition/give-up-log.ts";
import { changeSecretKey } from "./composition/secret-key-change.ts";
import { openReviewer } from "./documents/open-reviewer.ts";
import { readErasures } from "./erasures/erasures-file.ts";
import { commandOperatorRoutes } from "./operator/routes.ts";
import { summaryRoutes } from "./operator/summary.ts";
import { noBackupRoute, projectionRoutes, settingsRoute, sharedClock, tailRoutes } from "./operator/system.ts";
import { assignSeats } from "./processes/run-saga.ts";
import { commandRoutes } from "./routes.ts";
import { webhookServices } from "./services.ts";

/** The command-service as a service of its own, on servers it shares with other instances. */
async function startCommandService(host: ServiceContext): Promise<string> {
  const { logger, shutdown } = host;
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
  const head = () => events.head();
  const service = await composeApiService(host, settings, servers);
  const { secretKey, trustedKey } = service.keys;
  const { mongo, state, words, models, progress, clock, ids, metrics, redis } = service;

  const queue = openBullMqJobQueue(redis, LANE_QUEUE);
  shutdown.register("job queue", () => queue.close());
  const webhooks = webhookServices({
    state,
    secretKey,
    targets: targetRules(settings),
    deliveries: new EndpointDeliveries({ store: state, wake: (lane) => queue.schedule(lane) }),
  });
  const projector = sharedProjectorControl(state, progress, head);
  const { knownLog } = events;
  const { services, inboundEvents, reconciliation, catchUpMonitor, advanceTo, start, compareLog } = commandSide({
    settings,
    secretKey,
    gateway: gateway.open({ state, secretKey }),
    reconcilesDaily: gateway.name !== "sandbox",
    events,
    erasures: readErasures(process.argv),
    state,
    words,
    models,
    blobs: openGridFsBlobStore(mongo),
    reviewer: openReviewer(host),
    progress,
    projector,
    clock,
    ids,
    webhooks,
    deliveries: remoteDeliveryWork(new DueDeliveries({ store: state, models, progress }), clock),
    loyaltyRates: settings.loyaltyRates,
    metrics,
    lifecycle: service.health.lifecycle,
    reachedFaultPoint: host.reachedFaultPoint,
    mayBegin: () => knownLog.problem === undefined,
    logger,
    shutdown,
    shared: service,
  });
  await compareLog(knownLog, () => progress.marks());
  await start();
  sweepExpired(state, clock, shutdown);
  const secretKeyChange = changeSecretKey({ state, keys: state, secretKey, logger, metrics, shutdown });

  const health = {
    ...service.health,
    readinessDetails: { payments: () => reconciliation.summary(), secretKey: secretKeyChange },
  };
  const positions = service.writePositions(head);
  const app = service.publicApp({
    routes: commandRoutes(services),
    positions: withProjectionFallback(positions, (position) => catchUpMonitor.waitUntilShown(position)),
    refuseWrite: refuseWriteToAnotherLog(knownLog),
    issuesTokens: true,
    plainRoutes: [
      ...inboundEvents.routes(gateway.name),
      logHeadRoute(trustedKey, head),
      assignedSeatsRoute(trustedKey, async (bookingId) => (await assignSeats(services, bookingId)).position),
    ],
  });
  const urls = await serve(host, app, {
    token: settings.operatorToken,
    state,
    routes: [
      ...commandOperatorRoutes(
        services,
        sharedClock(clock, settings.sandboxClock, advanceTo, shutdown),
        reconciliation,
      ),
      ...tailRoutes(services.store, shutdown.begun),
      settingsRoute(host.settings),
      ...projectionRoutes(projector, new SkippedEvents(state), shutdown.begun, async () => {
        if (knownLog.problem !== undefined) await giveUpLog(state, positions);
      }),
      noBackupRoute,
      ...summaryRoutes({ services, health, metrics, problems: host.problems, shutdown }),
    ],
    metrics,
    health,
  });
  return readyLines("command-service", urls, host);
}

await runService("command-service", startCommandService);
