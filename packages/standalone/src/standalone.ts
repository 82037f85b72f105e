import { commandOperatorRoutes, commandRoutes } from "@travel-booking/command-service";
import { Cursors, type Lifecycle } from "@travel-booking/http";
import { createOperatorApp } from "@travel-booking/operator-interface";
import { queryRoutes } from "@travel-booking/query-service";
import { ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { openLmdbReadModels, type ReadModels } from "@travel-booking/read-store";
import { commandIds, deriveKey, type Logger, Metrics, type Settings, type Shutdown } from "@travel-booking/runtime";
import { openClock } from "./clock.ts";
import { commandServices } from "./command-services.ts";
import { CountingHandler } from "./counting-handler.ts";
import { keepDemoFacts, keepOperatorUrl } from "./facts-files.ts";
import { forgetExpired } from "./forget-expired.ts";
import { registerGauges } from "./gauges.ts";
import { obligations } from "./obligations.ts";
import { backupRoute } from "./operator/backup-route.ts";
import { projectionRoutes } from "./operator/projection-routes.ts";
import { Standing } from "./projecting/standing.ts";
import { startProjector } from "./projecting/start-projector.ts";
import { secretsOf } from "./secrets.ts";
import { listen, urlOf } from "./serving/listen.ts";
import { publicApp } from "./serving/public-app.ts";
import { demoAccount } from "./starting/demo-account.ts";
import type { FatalFaults } from "./starting/fatal-faults.ts";
import { makeDemo } from "./starting/make-demo.ts";
import { mustHoldTheLog } from "./starting/must-hold-the-log.ts";
import { startUpSummary } from "./starting/summary.ts";
import { tryOut } from "./starting/try-out.ts";
import { openStorage, type Storage } from "./storage.ts";

/** Real time: how long what was accepted may take to finish at the end. */
const STOP_SERVING_MS = 5_000;

export interface StandaloneOptions {
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  readonly faults: FatalFaults;
}

/**
 * Starts everything on embedded engines, and answers the start-up summary once requests are served.
 * @throws StorageFault about the data folder.
 * @throws StartUpFault about anything else an operator can mend.
 */
export async function startStandalone(settings: Settings, options: StandaloneOptions): Promise<string> {
  const { logger, shutdown, faults } = options;
  const { dataDir } = settings;
  const storage = openStorage(dataDir, faults.report("the log can't be written any more"));
  shutdown.register("storage", () => storage.close());
  const secrets = secretsOf(settings);
  const isNew = (await storage.events.head()) === 0n;
  const { projector, models, heard } = await startProjecting(dataDir, storage, options);
  await mustHoldTheLog(storage.events, projector, dataDir);

  const clock = await openClock(storage.state, process.env);
  const ids = commandIds(clock);
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle: Lifecycle = { stopping: false };
  const standing = new Standing(projector, storage.events);
  const handler = new CountingHandler({ store: storage.events, clock });
  const services = commandServices({ handler, storage, models, projector, standing, clock, ids, logger });
  const { list, scheduler, advanceTo } = obligations({ services, clock, projector, standing, lifecycle });
  registerGauges({ metrics, handler, events: storage.events, projector, list, clock });
  const operatorRoutes = [
    ...commandOperatorRoutes(services, { clock, movable: settings.sandboxClock, advanceTo }),
    ...projectionRoutes(projector),
    backupRoute(storage),
  ];

  await standing.caughtUpAtLast(logger);
  const make = () => makeDemo(services, operatorRoutes);
  const demo = await demoAccount({ settings, state: storage.state, isNew, make });
  forgetExpired(storage.state, clock, shutdown);
  scheduler.start();
  shutdown.register("scheduler", () => scheduler.stop());

  const operator = await listen(
    createOperatorApp({
      token: secrets.operatorToken,
      routes: operatorRoutes,
      failed: (error, requestId) => logger.error({ err: error, requestId }, "an operator's request failed"),
    }),
    {
      host: settings.operatorHost,
      port: settings.operatorPort,
      variables: { host: "OPERATOR_HOST", port: "OPERATOR_PORT" },
    },
  );
  const app = publicApp({
    settings,
    secretKey: secrets.secretKey,
    routes: [
      ...commandRoutes(services),
      ...queryRoutes({ models, clock, cursors: new Cursors(deriveKey(secrets.secretKey, "cursors")) }),
    ],
    directory: new ReadModelCredentialDirectory(models, heard),
    progress: projector.progress,
    state: storage.state,
    clock,
    ids,
    logger,
    metrics,
    lifecycle,
    readiness: {},
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("servers", () => Promise.all([api.stop(STOP_SERVING_MS), operator.stop(STOP_SERVING_MS)]));

  const baseUrl = urlOf(api);
  const operatorUrl = urlOf(operator);
  keepOperatorUrl(dataDir, operatorUrl);
  if (demo !== undefined) keepDemoFacts(dataDir, { baseUrl, operatorUrl, ...demo });
  return startUpSummary({ baseUrl, operatorUrl, dataDir, demo, seats: demo && (await tryOut(models, clock.now())) });
}

async function startProjecting(dataDir: string, storage: Storage, { logger, shutdown, faults }: StandaloneOptions) {
  let models: ReadModels | undefined;
  let heard = 0;
  const { client, stop } = await startProjector({
    dataDir,
    wakeUp: storage.wakeUp.buffer,
    logger,
    refresh: () => {
      heard += 1;
      models?.refresh();
    },
    onFatal: faults.report("the projector can't go on"),
  });
  shutdown.register("projector", stop);
  models = openLmdbReadModels(storage.read.root);
  return { projector: client, models, heard: () => heard };
}
