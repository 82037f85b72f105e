import { join } from "node:path";
import {
  assignSeats,
  commandOperatorRoutes,
  commandRoutes,
  commandSide,
  projectionRoutes,
  sharedClock,
  webhookServices,
} from "@travel-booking/command-service";
import { Leases } from "@travel-booking/engines/leases";
import { Cursors, Idempotency, type Lifecycle } from "@travel-booking/http";
import { SandboxGateway } from "@travel-booking/payment-gateway/sandbox";
import { EventNotifier, openApiRoutes, openPrinter, queryRoutes } from "@travel-booking/query-service";
import { PROJECTION_NAMES, ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { commandIdGenerator, deriveKey, Metrics } from "@travel-booking/runtime";
import {
  checkSecretKey,
  engineProblemLogger,
  listen,
  listenOperator,
  openClock,
  publicApp,
  type ServiceContext,
  STOP_SERVING_MS,
  secretsOf,
  sweepExpired,
  urlOf,
  withProjectionFallback,
} from "@travel-booking/service-host";
import { webhookOperatorRoutes } from "@travel-booking/webhook-dispatcher";
import { writeDemoFile, writeOperatorUrl } from "./data-folder-files.ts";
import { openEngines } from "./engines/open-engines.ts";
import { backupRoute } from "./operator/backup-route.ts";
import { startProjection } from "./projection/start-projection.ts";
import { assertReadModelsNotAhead } from "./startup/assert-read-models-not-ahead.ts";
import { createDemo } from "./startup/create-demo.ts";
import { loadOrCreateDemoAccount } from "./startup/demo-account.ts";
import { findSeatsToTry } from "./startup/seats-to-try.ts";
import { startupSummary } from "./startup/summary.ts";
import { composeWebhookDelivery } from "./webhooks/compose-webhook-delivery.ts";

/** A copy without its key is of use, too, for everything but what was sealed. */
const OTHER_KEY =
  "what is stored was sealed under another secret key: tokens and cursors given out are void, " +
  "and webhook endpoints made before have to be created anew, for their secrets can't be read";

/**
 * Starts every service in one process, on embedded engines or on the servers the settings name, and answers the
 * start-up summary once requests are served.
 * @throws StorageFault about the data folder.
 * @throws StartUpFault about anything else an operator can mend.
 */
export async function startStandalone(host: ServiceContext): Promise<string> {
  const { settings, logger, shutdown } = host;
  const { dataDir } = settings;
  const engines = await openEngines(host);
  const { events, state, local } = engines;
  const secrets = secretsOf(settings);
  const secretKeyIsNew = settings.secretKeyIsNew || secrets.secretKeyIsGenerated;
  if (await checkSecretKey(state, secrets.secretKey, { secretKeyIsNew })) logger.warn({}, OTHER_KEY);
  const isNew = (await events.head()) === 0n;
  const { control, progress, models, refreshCount } = await startProjection(host, engines);
  await assertReadModelsNotAhead(events, progress, settings);

  // With both on servers, other processes may run beside this one.
  const alone = settings.eventStoreUrl === undefined || settings.mongodbUrl === undefined;
  const clock = await openClock(state, process.env);
  const ids = commandIdGenerator(clock);
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle: Lifecycle = { stopping: false };
  const { secretKey } = secrets;
  const delivering = composeWebhookDelivery(host, { secretKey, state, models, progress, clock, metrics });
  const { deliveries, dispatcher } = delivering;
  const allowPrivateTargets = settings.webhookAllowPrivateTargets;
  const webhooks = webhookServices({ state, secretKey, allowPrivateTargets, deliveries });
  const { services, catchUpMonitor, advanceTo, start } = commandSide({
    gateway: new SandboxGateway(state),
    events,
    state,
    models,
    blobs: engines.blobs,
    progress,
    projector: control,
    clock,
    ids,
    webhooks,
    deliveries: dispatcher,
    metrics,
    lifecycle,
    logger,
    shutdown,
  });
  const { sandboxClock: movable } = settings;
  const operatorRoutes = [
    ...commandOperatorRoutes(
      services,
      alone ? { clock, movable, advanceTo } : sharedClock(clock, movable, advanceTo, shutdown),
    ),
    ...projectionRoutes(control),
    ...webhookOperatorRoutes({
      state,
      models,
      clock,
      ids,
      waitUntilCaughtUp: () => catchUpMonitor.waitUntilCaughtUp(),
      onReplayRequested: () => dispatcher.wakeReplays(),
    }),
    backupRoute(local, settings.dataDir),
  ];

  await catchUpMonitor.waitUntilCaughtUpUnbounded(logger);
  const make = () => createDemo(services, operatorRoutes);
  const demo = await loadOrCreateDemoAccount({ settings, state, isNew, make });
  sweepExpired(state, clock, shutdown);
  await start(alone ? undefined : new Leases(state));
  delivering.start();

  const operator = await listenOperator({ settings, token: secrets.operatorToken, routes: operatorRoutes, logger });
  const cursors = new Cursors(deriveKey(secretKey, "cursors"));
  const tail = new EventNotifier({ models, progress });
  metrics.gauge("event_waits", "Requests that wait for an event.", () => tail.waiting);
  const boardingPasses = {
    assignSeats: async (bookingId: string) => (await assignSeats(services, bookingId)).position,
    positions: engines.positions,
    printer: openPrinter({ settings, folder: join(dataDir, "browser"), logger, shutdown }),
  };
  const published = openApiRoutes(settings.rateLimitPerMinute > 0);
  const app = publicApp({
    settings,
    secretKey,
    routes: [
      ...commandRoutes(services),
      ...queryRoutes({
        models,
        progress,
        clock,
        cursors,
        eventNotifier: tail,
        testEvents: state,
        deliveries,
        boardingPasses,
      }),
      ...dispatcher.routes,
      ...published.routes,
    ],
    plainRoutes: published.pages,
    directory: new ReadModelCredentialDirectory(models, refreshCount),
    counters: engines.counters,
    positions:
      settings.redisUrl === undefined
        ? engines.positions
        : withProjectionFallback({
            positions: engines.positions,
            progress,
            projections: PROJECTION_NAMES,
            onProblem: engineProblemLogger(logger, "Redis"),
          }),
    progress,
    idempotency: new Idempotency({ store: state, clock, commandIds: ids, singleProcess: alone }),
    issuesTokens: true,
    clock,
    commandIds: ids,
    logger,
    metrics,
    lifecycle,
    readiness: engines.readiness,
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("servers", () => Promise.all([api.stop(STOP_SERVING_MS), operator.stop(STOP_SERVING_MS)]));

  // Before the servers: they wait for the requests they have.
  shutdown.register("waiting requests", () => tail.stop());

  const baseUrl = urlOf(api);
  const operatorUrl = urlOf(operator);
  writeOperatorUrl(dataDir, operatorUrl);
  if (demo !== undefined) writeDemoFile(dataDir, { baseUrl, operatorUrl, ...demo });
  return startupSummary({
    baseUrl,
    operatorUrl,
    dataDir,
    demo,
    seats: demo && (await findSeatsToTry(models, clock.now())),
  });
}
