import { rmSync } from "node:fs";
import { openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { MongoProgress, openMongoReadModels } from "@travel-booking/engines/read-store/mongodb";
import { openRedis } from "@travel-booking/engines/redis";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import { Cursors, type Lifecycle } from "@travel-booking/http";
import { ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { commandIdGenerator, deriveKey, Metrics } from "@travel-booking/runtime";
import {
  checkSecretKey,
  engineProblemLogger,
  isReachable,
  listen,
  logHeadClient,
  openClock,
  publicApp,
  readyLines,
  requireSettings,
  runService,
  type ServiceContext,
  STOP_SERVING_MS,
  seatAssignmentClient,
  syncClock,
  waitForEngines,
} from "@travel-booking/service-host";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { EventNotifier } from "./event-notifier.ts";
import { openApiRoutes } from "./openapi/openapi-routes.ts";
import { newBrowserFolder, openPrinter } from "./printer.ts";
import { queryRoutes } from "./routes.ts";

/** The query-service as a service of its own: it reads MongoDB and Redis, and never the log. */
async function startQueryService(host: ServiceContext): Promise<string> {
  const { logger, shutdown } = host;
  const settings = requireSettings(host.settings, "mongodbUrl", "redisUrl", "secretKey", "commandServiceUrl");
  const { secretKey, commandServiceUrl } = settings;
  const mongo = openMongo(settings.mongodbUrl, { onProblem: engineProblemLogger(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const redis = openRedis(settings.redisUrl, { onProblem: engineProblemLogger(logger, "Redis") });
  shutdown.register("Redis", () => redis.close());
  const readStore = { variable: "MONGODB_URL", ping: () => mongo.ping() };
  await waitForEngines([readStore, { variable: "REDIS_URL", ping: () => redis.ping() }], logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, secretKey, settings);
  const clock = await openClock(state, process.env);
  if (settings.sandboxClock) syncClock(clock, shutdown);
  const progress = new MongoProgress(mongo, { onProblem: engineProblemLogger(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const models = openMongoReadModels(mongo, { progress });
  const limits = new RedisRateCounter(redis, { onProblem: engineProblemLogger(logger, "Redis") });
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle: Lifecycle = { stopping: false };
  const cursors = new Cursors(deriveKey(secretKey, "cursors"));
  const tail = new EventNotifier({ models, progress });
  metrics.gauge("event_waits", "Requests that wait for an event.", () => tail.waiting);
  const deliveries = new EndpointDeliveries({ store: state });
  const published = openApiRoutes(settings.rateLimitPerMinute > 0);
  const folder = newBrowserFolder(settings.dataDir);
  shutdown.register("browser's folder", async () => rmSync(folder, { recursive: true, force: true }));
  const positions = new RedisWritePositions(redis, { head: logHeadClient(commandServiceUrl, secretKey) });
  const boardingPasses = {
    assignSeats: seatAssignmentClient(commandServiceUrl, secretKey),
    positions,
    printer: openPrinter({ settings, folder, logger, shutdown }),
  };
  const app = publicApp({
    settings,
    secretKey,
    routes: [
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
      ...published.routes,
    ],
    plainRoutes: published.pages,
    directory: new ReadModelCredentialDirectory(models),
    counters: { credentials: limits, addresses: limits },
    positions,
    progress,
    issuesTokens: false,
    clock,
    commandIds: commandIdGenerator(clock),
    logger,
    metrics,
    lifecycle,
    // Without Redis limits and positions go on by other means.
    readiness: { "the read store": () => isReachable(readStore) },
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("server", () => api.stop(STOP_SERVING_MS));
  shutdown.register("waiting requests", () => tail.stop());
  return readyLines("query-service", api);
}

await runService("query-service", startQueryService);
