import { rmSync } from "node:fs";
import { openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter";
import { MongoProgress, openMongoReadModels } from "@travel-booking/engines/read-store";
import { openRedis } from "@travel-booking/engines/redis";
import { openMongoStateStore } from "@travel-booking/engines/state-store";
import { RedisWritePositions } from "@travel-booking/engines/write-positions";
import { Cursors, type Lifecycle } from "@travel-booking/http";
import { ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { commandIds, deriveKey, Metrics } from "@travel-booking/runtime";
import {
  answers,
  askForLogHead,
  askForSeats,
  checkSecretKey,
  followClock,
  type Host,
  listen,
  logged,
  openClock,
  publicApp,
  readyLines,
  runService,
  STOP_SERVING_MS,
  settingsWith,
  waitForEngines,
} from "@travel-booking/service-host";
import { DeliveryLog } from "@travel-booking/webhooks/deliveries";
import { newBrowserFolder } from "./boarding-passes/browser-folder.ts";
import { openPrinter } from "./boarding-passes/open-printer.ts";
import { EventTail } from "./events/event-tail.ts";
import { publishedInterface } from "./interface/published-interface.ts";
import { queryRoutes } from "./routes.ts";

/** The query-service as a service of its own: it reads MongoDB and Redis, and never the log. */
async function startQueryService(host: Host): Promise<string> {
  const { logger, shutdown } = host;
  const settings = settingsWith(host.settings, "mongodbUrl", "redisUrl", "secretKey", "commandServiceUrl");
  const { secretKey, commandServiceUrl } = settings;
  const mongo = openMongo(settings.mongodbUrl, { onProblem: logged(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const redis = openRedis(settings.redisUrl, { onProblem: logged(logger, "Redis") });
  shutdown.register("Redis", () => redis.close());
  const readStore = { variable: "MONGODB_URL", ping: () => mongo.ping() };
  await waitForEngines([readStore, { variable: "REDIS_URL", ping: () => redis.ping() }], logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, secretKey, settings);
  const clock = await openClock(state, process.env);
  if (settings.sandboxClock) followClock(clock, shutdown);
  const progress = new MongoProgress(mongo, { onProblem: logged(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const models = openMongoReadModels(mongo, { progress });
  const limits = new RedisRateCounter(redis, { onProblem: logged(logger, "Redis") });
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle: Lifecycle = { stopping: false };
  const cursors = new Cursors(deriveKey(secretKey, "cursors"));
  const tail = new EventTail({ models, progress });
  metrics.gauge("event_waits", "Requests that wait for an event.", () => tail.waiting);
  const deliveries = new DeliveryLog({ store: state });
  const published = publishedInterface(settings.rateLimitPerMinute > 0);
  const folder = newBrowserFolder(settings.dataDir);
  shutdown.register("browser's folder", async () => rmSync(folder, { recursive: true, force: true }));
  const positions = new RedisWritePositions(redis, { head: askForLogHead(commandServiceUrl, secretKey) });
  const boardingPasses = {
    assignSeats: askForSeats(commandServiceUrl, secretKey),
    positions,
    printer: openPrinter({ settings, folder, logger, shutdown }),
  };
  const app = publicApp({
    settings,
    secretKey,
    routes: [
      ...queryRoutes({ models, progress, clock, cursors, tail, testEvents: state, deliveries, boardingPasses }),
      ...published.routes,
    ],
    pages: published.pages,
    directory: new ReadModelCredentialDirectory(models),
    counters: { credentials: limits, addresses: limits },
    positions,
    progress,
    issuesTokens: false,
    clock,
    commandIds: commandIds(clock),
    logger,
    metrics,
    lifecycle,
    // Without Redis limits and positions go on by other means.
    readiness: { "the read store": () => answers(readStore) },
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("server", () => api.stop(STOP_SERVING_MS));
  shutdown.register("waiting requests", () => tail.stop());
  return readyLines("query-service", api);
}

await runService("query-service", startQueryService);
