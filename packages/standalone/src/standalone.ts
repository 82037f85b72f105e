import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import {
  assignSeats,
  changeSecretKey,
  commandOperatorRoutes,
  commandRoutes,
  commandSide,
  giveUpLog,
  openReviewer,
  projectionRoutes,
  readErasures,
  settingsRoute,
  sharedClock,
  summaryRoutes,
  tailRoutes,
  webhookServices,
} from "@travel-booking/command-service";
import { Leases, Presence } from "@travel-booking/engines/leases";
import { Cursors, Idempotency, type Lifecycle } from "@travel-booking/http";
import { chooseGateway } from "@travel-booking/payment-gateway/gateways";
import { EventNotifier, openApiRoutes, openPrinter, queryRoutes } from "@travel-booking/query-service";
import { credentialDirectory } from "@travel-booking/read-models";
import { SkippedEvents } from "@travel-booking/read-models/control";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import { commandIdGenerator, deriveKeys, Metrics, TextSigner } from "@travel-booking/runtime";
import {
  checkKeys,
  openClock,
  openSecretKeys,
  publicApp,
  refuseWriteToAnotherLog,
  type ServiceContext,
  secretsOf,
  serve,
  sweepExpired,
  unusualLines,
  withProjectionFallback,
} from "@travel-booking/service-host";
import { webhookOperatorRoutes } from "@travel-booking/webhook-dispatcher";
import { targetRules } from "@travel-booking/webhooks/targets";
import { backupRoutes } from "./backup.ts";
import { createDemo, loadOrCreateDemoAccount, operatorCaller, writeDemoFile, writeOperatorUrl } from "./demo.ts";
import { diskReadiness, refuseWrite, watchDisk } from "./disk-watch.ts";
import { openEngines } from "./engines.ts";
import { startProjection } from "./projection.ts";
import { startupSummary } from "./startup-summary.ts";
import { composeWebhookDelivery } from "./webhook-delivery.ts";

const OTHER_KEY =
  "what is stored was sealed under another secret key: tokens and cursors given out are void, personal words " +
  "stored before can't be read and show as [erased], " +
  "and webhook endpoints made before have to be created anew, for their secrets can't be read";

const OTHER_KEYS = "the keys of personal words are lost: those stored before show as [erased]";

/**
 * Starts all services in one process, on embedded engines or on the servers in the settings. Returns the start-up
 * summary once the services accept requests.
 * @param projectorThread as `beginProjectorThread` began it.
 * @throws StorageError about the data folder.
 * @throws StartupError about anything else an operator can fix.
 */
export async function startStandalone(host: ServiceContext, projectorThread: Worker | undefined): Promise<string> {
  const { settings, logger, shutdown } = host;
  const { dataDir, sandboxClock } = settings;
  const gateway = await chooseGateway(host.environment, settings);
  const engines = await openEngines(host);
  const { events, knownLog, state, keys, positions } = engines;
  const { disk } = engines.local;
  const mayBegin = () => disk?.takesCommands !== false && knownLog?.problem === undefined;
  const { secretKeyIsGenerated, operatorToken, ...given } = secretsOf(settings);
  // A copy without its key is still usable for all unsealed data.
  const secretKeyIsNew = settings.secretKeyIsNew || secretKeyIsGenerated;
  const clock = await openClock(state, host.machineClock);
  const secretKeys = await openSecretKeys(
    { ...settings, ...given, secretKeyIsNew },
    { state, clock, unusual: host.unusual },
  );
  const { secretKey, trustedKey, isReplaced } = secretKeys;
  if (isReplaced) logger.warn({}, OTHER_KEY);
  // With log and read models on servers, other processes may run beside this one.
  const singleProcess = settings.eventStoreUrl === undefined || settings.mongodbUrl === undefined;
  const words = new SealedWords({
    state: keys,
    log: state === keys ? undefined : state,
    secretKey,
    shared: !singleProcess,
  });
  const isNew = (await events.head()) === 0n;
  const keysChecked = checkKeys(state, keys, { secretKeyIsNew });
  // Told where it is awaited; that the log is another one is told first.
  keysChecked.catch(() => undefined);
  const { control, progress, models, refreshCount, marks } = await startProjection(
    host,
    engines,
    { words, secretKey, keysChecked },
    projectorThread,
  );
  if (await keysChecked) logger.warn({}, OTHER_KEYS);

  const ids = commandIdGenerator(clock);
  const metrics = new Metrics();
  metrics.collectProcess();
  if (disk !== undefined) watchDisk(disk, { logger, metrics, shutdown });
  const lifecycle: Lifecycle = { stopping: false };
  const webhookDelivery = composeWebhookDelivery(host, {
    secretKey,
    state,
    words,
    models,
    progress,
    clock,
    metrics,
    mayBegin,
  });
  const { deliveries, dispatcher } = webhookDelivery;
  const { services, inboundEvents, reconciliation, catchUpMonitor, advanceTo, start, compareLog } = commandSide({
    settings,
    secretKey,
    gateway: gateway.open({ state, secretKey }),
    reconcilesDaily: gateway.name !== "sandbox",
    events,
    erasures: readErasures(process.argv),
    removeTracesOfKeys: engines.removeTracesOfKeys,
    state,
    words,
    models,
    blobs: engines.blobs,
    reviewer: openReviewer(host),
    progress,
    projector: control,
    clock,
    ids,
    webhooks: webhookServices({ state, secretKey, targets: targetRules(settings), deliveries }),
    deliveries: dispatcher,
    loyaltyRates: settings.loyaltyRates,
    metrics,
    lifecycle,
    reachedFaultPoint: host.reachedFaultPoint,
    mayBegin,
    logger,
    shutdown,
    shared: singleProcess ? undefined : { leases: new Leases(state, randomUUID()), presence: new Presence(state) },
  });
  const health = {
    readiness: { store: engines.readiness, disk_full: disk === undefined ? {} : { disk: diskReadiness(disk) } },
    readinessDetails: { payments: () => reconciliation.summary(), secretKey: () => secretKeyChange() },
    lifecycle,
  };
  const operatorRoutes = [
    ...commandOperatorRoutes(
      services,
      singleProcess
        ? { clock, movable: sandboxClock, advanceTo }
        : sharedClock(clock, sandboxClock, advanceTo, shutdown),
      reconciliation,
    ),
    ...tailRoutes(services.store, shutdown.begun),
    settingsRoute(host.settings),
    ...projectionRoutes(control, new SkippedEvents(state), shutdown.begun, async () => {
      if (knownLog?.problem !== undefined) await giveUpLog(state, positions);
    }),
    ...webhookOperatorRoutes({
      dispatcher,
      deliveries,
      models,
      words,
      clock,
      waitUntilCaughtUp: () => catchUpMonitor.waitUntilCaughtUp(),
    }),
    ...backupRoutes(engines.local, settings),
    ...summaryRoutes({ services, health, metrics, problems: host.problems, shutdown }),
  ];

  if (knownLog !== undefined) await compareLog(knownLog, marks);
  await catchUpMonitor.waitUntilCaughtUpUnbounded(logger);
  const operator = operatorCaller(operatorRoutes);
  const create = () => createDemo(operator, clock.now());
  const demo = await loadOrCreateDemoAccount({ settings, state, isNew: isNew && mayBegin(), create });
  sweepExpired(state, clock, shutdown);
  const secretKeyChange = changeSecretKey({ state, keys, secretKey, logger, metrics, shutdown });
  await start();
  webhookDelivery.start();

  const eventNotifier = new EventNotifier({ models, progress });
  metrics.gauge("event_waits", "Requests that wait for an event.", () => eventNotifier.waiting);
  const openApi = openApiRoutes(settings.rateLimitPerMinute > 0);
  const app = publicApp({
    settings,
    keys: secretKeys,
    words,
    routes: [
      ...commandRoutes(services),
      ...queryRoutes({
        models,
        progress,
        clock,
        words,
        cursors: new Cursors(deriveKeys(trustedKey, "cursors")),
        eventNotifier,
        testEvents: state,
        deliveries,
        boardingPasses: {
          assignSeats: async (bookingId: string) => (await assignSeats(services, bookingId)).position,
          positions,
          signer: new TextSigner(deriveKeys(trustedKey, "boarding-passes")),
          printer: openPrinter({ ...host, folder: () => join(dataDir, "browser") }),
        },
      }),
      ...dispatcher.routes,
      ...openApi.routes,
    ],
    plainRoutes: [...openApi.pages, ...inboundEvents.routes(gateway.name)],
    state,
    directory: credentialDirectory(models, refreshCount),
    counters: engines.counters,
    positions: withProjectionFallback(positions, (position) => catchUpMonitor.waitUntilShown(position)),
    progress,
    idempotency: new Idempotency({ store: state, clock, commandIds: ids, singleProcess }),
    issuesTokens: true,
    clock,
    commandIds: ids,
    logger,
    metrics,
    ...health,
    refuseWrite: (isUpload) =>
      (disk && refuseWrite(disk)(isUpload)) ?? (knownLog && refuseWriteToAnotherLog(knownLog)()),
  });
  const urls = await serve(host, app, { token: operatorToken, routes: operatorRoutes, state, metrics, health });
  // Runs before the servers stop, because they wait for open requests.
  shutdown.register("waiting requests", () => eventNotifier.stop());

  writeOperatorUrl(dataDir, urls.operatorUrl);
  if (demo !== undefined) {
    writeDemoFile(dataDir, { ...urls, ...demo });
    const { baseUrl } = urls;
    // Not waited for: the service is ready.
    const { liveDemo } = await import("./demo-life.ts");
    shutdown.run("demo account", (signal) =>
      liveDemo({ demo, baseUrl, operator, state, signal }).catch((error: Error) => {
        const reason = error.message;
        if (!shutdown.isStopping)
          logger.warn({ reason }, "the demo account has not all it should have: the next start goes on");
      }),
    );
  }
  return startupSummary({ ...urls, settings, unusual: await unusualLines(host), demo, models, now: clock.now() });
}
