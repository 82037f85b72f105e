import { randomUUID } from "node:crypto";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { Leases } from "@travel-booking/engines/leases";
import { openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { MongoProgress, openMongoReadModels } from "@travel-booking/engines/read-store/mongodb";
import { openRedis } from "@travel-booking/engines/redis";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import { Idempotency, type Lifecycle } from "@travel-booking/http";
import { PROJECTION_NAMES, ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { commandIdGenerator, Metrics } from "@travel-booking/runtime";
import {
  checkSecretKey,
  engineProblemLogger,
  isReachable,
  listen,
  listenOperator,
  logHeadClient,
  openClock,
  publicApp,
  readyLines,
  requireSettings,
  runService,
  type ServiceContext,
  STOP_SERVING_MS,
  syncClock,
  waitForEngines,
} from "@travel-booking/service-host";
import { LANE_QUEUE } from "@travel-booking/webhooks/deliveries";
import { WebhookSecrets } from "@travel-booking/webhooks/secrets";
import { Dispatcher } from "./dispatcher.ts";
import { deliveryMetrics, registerDispatcherGauges } from "./metrics.ts";
import { webhookOperatorRoutes } from "./operator-routes.ts";

/** Real time: how long an operator's look waits for the read models. */
const CATCH_UP_TIMEOUT_MS = 30_000;

/** The webhook-dispatcher as a service of its own, on servers it shares with others of its kind. */
async function startDispatcherService(host: ServiceContext): Promise<string> {
  const { logger, shutdown } = host;
  const settings = requireSettings(
    host.settings,
    "mongodbUrl",
    "redisUrl",
    "secretKey",
    "operatorToken",
    "commandServiceUrl",
  );
  const { secretKey, operatorToken } = settings;
  const mongo = openMongo(settings.mongodbUrl, { onProblem: engineProblemLogger(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const onRedisProblem = engineProblemLogger(logger, "Redis");
  const redis = openRedis(settings.redisUrl, { onProblem: onRedisProblem });
  shutdown.register("Redis", () => redis.close());
  const readStore = { variable: "MONGODB_URL", ping: () => mongo.ping() };
  await waitForEngines([readStore, { variable: "REDIS_URL", ping: () => redis.ping() }], logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, secretKey, settings);
  const clock = await openClock(state, process.env);
  if (settings.sandboxClock) syncClock(clock, shutdown);
  const ids = commandIdGenerator(clock);
  const progress = new MongoProgress(mongo, { onProblem: engineProblemLogger(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const models = openMongoReadModels(mongo, { progress });
  const metrics = new Metrics();
  metrics.collectProcess();
  const queue = openBullMqJobQueue(redis, LANE_QUEUE, { onProblem: onRedisProblem });
  shutdown.register("job queue", () => queue.close());
  const instance = randomUUID();
  const dispatcher = new Dispatcher({
    state,
    models,
    progress,
    queue,
    leaderLease: new Leases(state, { holder: instance }),
    holder: instance,
    clock,
    secrets: new WebhookSecrets(state, secretKey),
    allowPrivate: settings.webhookAllowPrivateTargets,
    deliveryMetrics: deliveryMetrics(metrics),
    logger,
  });
  registerDispatcherGauges({ metrics, state, clock, due: dispatcher.due });
  dispatcher.start();
  shutdown.register("dispatcher", () => dispatcher.stop());

  const head = logHeadClient(settings.commandServiceUrl, secretKey);
  const caughtUp = async () => {
    const position = await head();
    await Promise.all(PROJECTION_NAMES.map((name) => progress.waitUntil(name, position, CATCH_UP_TIMEOUT_MS)));
  };
  const operator = await listenOperator({
    settings,
    token: operatorToken,
    routes: webhookOperatorRoutes({
      state,
      models,
      clock,
      ids,
      waitUntilCaughtUp: caughtUp,
      onReplayRequested: () => dispatcher.wakeReplays(),
    }),
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
    idempotency: new Idempotency({ store: state, clock, commandIds: ids, singleProcess: false, holder: instance }),
    issuesTokens: false,
    clock,
    commandIds: ids,
    logger,
    metrics,
    lifecycle,
    readiness: { "the read store": () => isReachable(readStore) },
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("servers", () => Promise.all([api.stop(STOP_SERVING_MS), operator.stop(STOP_SERVING_MS)]));
  return readyLines("webhook-dispatcher", api, operator);
}

await runService("webhook-dispatcher", startDispatcherService);
