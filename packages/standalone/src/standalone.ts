import {
  advanceClock,
  CommandHandler,
  type CommandServices,
  commandOperatorRoutes,
  commandRoutes,
  DueList,
  meetObligation,
  type OperatorServices,
  Scheduler,
} from "@travel-booking/command-service";
import { Cursors, type Lifecycle, startServer } from "@travel-booking/http";
import { createOperatorApp, OperatorError } from "@travel-booking/operator-interface";
import { SandboxGateway } from "@travel-booking/payment-gateway";
import { type ProjectorClient, projections } from "@travel-booking/projector";
import { queryRoutes } from "@travel-booking/query-service";
import { OBLIGATIONS, ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { openLmdbReadModels, type ReadModels } from "@travel-booking/read-store";
import { commandIds, deriveKey, type Logger, Metrics, type Settings, type Shutdown } from "@travel-booking/runtime";
import { BANK_ACCOUNT } from "./bank-account.ts";
import { openClock } from "./clock.ts";
import { makeDemo } from "./demo.ts";
import { type DemoAccount, keepDemoFacts, keepOperatorUrl, keptDemoAccount } from "./facts-files.ts";
import { faultPoint } from "./fault-points.ts";
import { backupRoute } from "./operator/backup-route.ts";
import { projectionRoutes } from "./operator/projection-routes.ts";
import { startProjector } from "./projecting/start-projector.ts";
import { publicApp } from "./public-app.ts";
import { secretsOf } from "./secrets.ts";
import { openStorage, type Storage } from "./storage.ts";
import { startUpSummary } from "./summary.ts";
import { tryOut } from "./try-out.ts";

/** Real time: how long what was accepted may take to finish at the end. */
const STOP_SERVING_MS = 5_000;
/** Real time: how long an operator's command waits to be in force. */
const IN_FORCE_MS = 30_000;
const LISTED_MS = 5_000;
const FORGET_EVERY_MS = 60_000;
const FORGET_AT_ONCE = 1_000;

export interface StandaloneOptions {
  readonly logger: Logger;
  readonly shutdown: Shutdown;
}

/**
 * Starts everything on embedded engines, and answers the start-up summary once requests are served.
 * @throws StorageFault about the data folder.
 * @throws PortInUse
 */
export async function startStandalone(settings: Settings, { logger, shutdown }: StandaloneOptions): Promise<string> {
  const { dataDir } = settings;
  const fatal = (what: string) => (error: Error) => {
    logger.fatal({ err: error }, what);
    process.stderr.write(`${error.message}\n`);
    void shutdown.stop(what, 1);
  };
  const storage = openStorage(dataDir, fatal("the log can't be written any more"));
  shutdown.register("storage", () => storage.close());
  const secrets = secretsOf(settings);
  const isNew = (await storage.events.head()) === 0n;

  const projecting = await startProjecting(dataDir, storage, logger, fatal("the projector can't go on"));
  shutdown.register("projector", () => projecting.projector.stop());
  const { projector, models } = projecting;

  const clock = await openClock(storage.state);
  const ids = commandIds(clock);
  const metrics = new Metrics();
  metrics.collectProcess();
  const services: OperatorServices = {
    handler: new CommandHandler({ store: storage.events, clock }),
    gateway: new SandboxGateway(storage.state),
    clock,
    ids,
    logger,
    bankAccount: BANK_ACCOUNT,
    findHold: (holdId) => findHold(storage, projector, models, holdId),
    reached: faultPoint(process.env),
    store: storage.events,
    state: storage.state,
    models,
    projected: (position) => inForce(projector, position),
  };

  const list = new DueList(models);
  const scheduler = new Scheduler({
    list,
    clock,
    meet: (obligation) => meetObligation(services, obligation),
    listed: async (position) => void (await projector.progress.waitUntil(OBLIGATIONS.projection, position, LISTED_MS)),
    failed: ({ key }, error) => logger.warn({ obligation: key, err: error }, "an obligation could not be met yet"),
  });
  const caughtUp = async () => inForce(projector, await storage.events.head());
  const operatorRoutes = [
    ...commandOperatorRoutes(services, {
      clock,
      movable: settings.sandboxClock,
      advanceTo: (target) => advanceClock({ clock, list, scheduler, caughtUp }, target),
    }),
    ...projectionRoutes(projector),
    backupRoute(storage),
  ];
  // What is read before the projector is where the log is would be older than what was acknowledged.
  await caughtUp();
  const demo = await demoAccount(settings, isNew, () => makeDemo(services, operatorRoutes));

  const lifecycle: Lifecycle = { stopping: false };
  const operator = await startServer(
    createOperatorApp({
      token: secrets.operatorToken,
      routes: operatorRoutes,
      failed: (error, requestId) => logger.error({ err: error, requestId }, "an operator's request failed"),
    }),
    { host: settings.operatorHost, port: settings.operatorPort },
  );
  shutdown.register("operator interface", () => operator.stop(STOP_SERVING_MS));
  scheduler.start();
  shutdown.register("scheduler", () => scheduler.stop());
  forgetExpired(storage, clock, shutdown);

  const app = publicApp({
    settings,
    secretKey: secrets.secretKey,
    routes: [
      ...commandRoutes(services),
      ...queryRoutes({ models, clock, cursors: new Cursors(deriveKey(secrets.secretKey, "cursors")) }),
    ],
    directory: new ReadModelCredentialDirectory(models),
    progress: projector.progress,
    state: storage.state,
    clock,
    ids,
    logger,
    metrics,
    lifecycle,
    readiness: {},
  });
  const api = await startServer(app, { host: settings.host, port: settings.port, lifecycle });
  shutdown.register("public API", () => api.stop(STOP_SERVING_MS));

  const baseUrl = urlOf(api);
  const operatorUrl = urlOf(operator);
  keepOperatorUrl(dataDir, operatorUrl);
  if (demo !== undefined) keepDemoFacts(dataDir, { baseUrl, operatorUrl, ...demo });
  return startUpSummary({ baseUrl, operatorUrl, dataDir, demo, seats: demo && (await tryOut(models, clock.now())) });
}

async function startProjecting(dataDir: string, storage: Storage, logger: Logger, onFatal: (error: Error) => void) {
  let models: ReadModels | undefined;
  const projector = await startProjector({
    dataDir,
    wakeUp: storage.wakeUp.buffer,
    logger,
    refresh: () => models?.refresh(),
    onFatal,
  });
  models = openLmdbReadModels(storage.read.root);
  return { projector, models };
}

/** An operator's command is answered when every read model shows it. */
async function inForce({ progress }: ProjectorClient, position: bigint): Promise<void> {
  const reached = await Promise.all(projections.map(({ name }) => progress.waitUntil(name, position, IN_FORCE_MS)));
  const behind = projections.filter((_, index) => !reached[index]).map(({ name }) => name);
  if (behind.length > 0) throw new OperatorError(503, `recorded, but not shown yet by ${behind.join(", ")}`);
}

async function findHold(storage: Storage, { progress }: ProjectorClient, models: ReadModels, holdId: string) {
  await progress.waitUntil(OBLIGATIONS.projection, await storage.events.head(), LISTED_MS);
  const row = await models.body(OBLIGATIONS.due.model, `expire_hold/${holdId}`);
  return row && (JSON.parse(Buffer.from(row.json).toString()) as { readonly flightId: string }).flightId;
}

async function demoAccount(
  { demo, dataDir }: Settings,
  isNew: boolean,
  make: () => Promise<DemoAccount>,
): Promise<DemoAccount | undefined> {
  if (demo === false) return undefined;
  return keptDemoAccount(dataDir) ?? (demo === true || isNew ? make() : undefined);
}

/** Idempotency records are kept for a day; what is over is forgotten bit by bit. */
function forgetExpired({ state }: Storage, clock: CommandServices["clock"], shutdown: Shutdown): void {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = state.removeExpired(clock.now(), FORGET_AT_ONCE).catch(() => undefined);
  }, FORGET_EVERY_MS);
  timer.unref();
  shutdown.register("expired records", async () => {
    clearInterval(timer);
    await running;
  });
}

function urlOf({ host, port }: { readonly host: string; readonly port: number }): string {
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}
