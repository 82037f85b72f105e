import { randomUUID } from "node:crypto";
import { openBullJobQueue } from "@travel-booking/engines/job-queue";
import { Leases } from "@travel-booking/engines/leases";
import { openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter";
import { MongoProgress, openMongoReadModels } from "@travel-booking/engines/read-store";
import { openRedis } from "@travel-booking/engines/redis";
import { openMongoStateStore } from "@travel-booking/engines/state-store";
import { RedisWritePositions } from "@travel-booking/engines/write-positions";
import { Idempotency, type Lifecycle } from "@travel-booking/http";
import { PROJECTION_NAMES, ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { commandIds, Metrics } from "@travel-booking/runtime";
import {
  answers,
  askForLogHead,
  checkSecretKey,
  followClock,
  type Host,
  listen,
  listenOperator,
  logged,
  openClock,
  publicApp,
  readyLines,
  runService,
  STOP_SERVING_MS,
  settingsWith,
  waitForEngines,
} from "@travel-booking/service-host";
import { LANES } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { metricsTally } from "./delivering/tally.ts";
import { Dispatcher } from "./hosting/dispatcher.ts";
import { registerDispatcherGauges } from "./hosting/gauges.ts";
import { webhookOperatorRoutes } from "./operator/routes.ts";

/** Real time: how long an operator's look waits for the read models. */
const CAUGHT_UP_MS = 30_000;

/** The webhook-dispatcher as a service of its own, on servers it shares with others of its kind. */
async function startDispatcherService(host: Host): Promise<string> {
  const { logger, shutdown } = host;
  const settings = settingsWith(
    host.settings,
    "mongodbUrl",
    "redisUrl",
    "secretKey",
    "operatorToken",
    "commandServiceUrl",
  );
  const { secretKey, operatorToken } = settings;
  const mongo = openMongo(settings.mongodbUrl, { onProblem: logged(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const onRedisProblem = logged(logger, "Redis");
  const redis = openRedis(settings.redisUrl, { onProblem: onRedisProblem });
  shutdown.register("Redis", () => redis.close());
  const readStore = { variable: "MONGODB_URL", ping: () => mongo.ping() };
  await waitForEngines([readStore, { variable: "REDIS_URL", ping: () => redis.ping() }], logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, secretKey, settings);
  const clock = await openClock(state, process.env);
  if (settings.sandboxClock) followClock(clock, shutdown);
  const ids = commandIds(clock);
  const progress = new MongoProgress(mongo, { onProblem: logged(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const models = openMongoReadModels(mongo, { progress });
  const metrics = new Metrics();
  metrics.collectProcess();
  const queue = openBullJobQueue(redis, LANES, { onProblem: onRedisProblem });
  shutdown.register("job queue", () => queue.close());
  const instance = randomUUID();
  const dispatcher = new Dispatcher({
    state,
    models,
    progress,
    queue,
    leads: new Leases(state, { holder: instance }),
    holder: instance,
    clock,
    secrets: new WebhookSecrets(state, secretKey),
    allowPrivate: settings.webhookAllowPrivateTargets,
    tally: metricsTally(metrics),
    logger,
  });
  registerDispatcherGauges({ metrics, state, clock, due: dispatcher.due });
  dispatcher.start();
  shutdown.register("dispatcher", () => dispatcher.stop());

  const head = askForLogHead(settings.commandServiceUrl, secretKey);
  const caughtUp = async () => {
    const position = await head();
    await Promise.all(PROJECTION_NAMES.map((name) => progress.waitUntil(name, position, CAUGHT_UP_MS)));
  };
  const operator = await listenOperator({
    settings,
    token: operatorToken,
    routes: webhookOperatorRoutes({ state, models, clock, ids, caughtUp, nudge: () => dispatcher.nudge() }),
    logger,
  });
  const limits = new RedisRateCounter(redis, { onProblem: onRedisProblem });
  const lifecycle: Lifecycle = { stopping: false };
  const app = publicApp({
    settings,
    secretKey,
    routes: dispatcher.routes,
    directory: new ReadModelCredentialDirectory(models),
    counters: { credentials: limits, addresses: limits },
    positions: new RedisWritePositions(redis, { head }),
    progress,
    idempotency: new Idempotency({ store: state, clock, commandIds: ids, alone: false, holder: instance }),
    issuesTokens: false,
    clock,
    commandIds: ids,
    logger,
    metrics,
    lifecycle,
    readiness: { "the read store": () => answers(readStore) },
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("servers", () => Promise.all([api.stop(STOP_SERVING_MS), operator.stop(STOP_SERVING_MS)]));
  return readyLines("webhook-dispatcher", api, operator);
}

await runService("webhook-dispatcher", startDispatcherService);
