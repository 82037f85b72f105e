import { randomUUID } from "node:crypto";
import { openGridFsBlobStore } from "@travel-booking/engines/blob-store/gridfs";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openBullMqJobQueue } from "@travel-booking/engines/job-queue/bullmq";
import { Leases } from "@travel-booking/engines/leases";
import { openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter/redis";
import { MongoProgress, openMongoReadModels } from "@travel-booking/engines/read-store/mongodb";
import { openRedis } from "@travel-booking/engines/redis";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { RedisWritePositions } from "@travel-booking/engines/write-positions/redis";
import { Idempotency, type Lifecycle } from "@travel-booking/http";
import { SandboxGateway } from "@travel-booking/payment-gateway/sandbox";
import { PROJECTION_NAMES, ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { ProjectionRequestStore, RemoteProjectorControl } from "@travel-booking/read-models/control";
import { commandIdGenerator, Metrics } from "@travel-booking/runtime";
import {
  assignedSeatsRoute,
  checkSecretKey,
  engineProblemLogger,
  isReachable,
  listen,
  listenOperator,
  logHeadRoute,
  openClock,
  publicApp,
  readyLines,
  requireSettings,
  runService,
  type ServiceContext,
  STOP_SERVING_MS,
  sweepExpired,
  waitForEngines,
  withProjectionFallback,
} from "@travel-booking/service-host";
import { DueDeliveries, EndpointDeliveries, LANE_QUEUE } from "@travel-booking/webhooks/deliveries";
import { commandSide } from "./composition/command-side.ts";
import { remoteDeliveryWork } from "./composition/due-tasks.ts";
import { commandOperatorRoutes } from "./operator/routes.ts";
import { noBackupRoute, projectionRoutes, sharedClock } from "./operator/system.ts";
import { assignSeats } from "./processes/run-saga.ts";
import { commandRoutes } from "./routes.ts";
import { webhookServices } from "./services.ts";

/** The command-service as a service of its own, on servers it shares with others of its kind. */
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
  const { secretKey, operatorToken } = settings;
  const mongo = openMongo(settings.mongodbUrl, { onProblem: engineProblemLogger(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const events = openEventStoreDb(settings.eventStoreUrl, { onProblem: engineProblemLogger(logger, "EventStoreDB") });
  shutdown.register("EventStoreDB", () => events.close());
  const redis = openRedis(settings.redisUrl, { onProblem: engineProblemLogger(logger, "Redis") });
  shutdown.register("Redis", () => redis.close());
  const eventStore = { variable: "EVENT_STORE_URL", ping: () => events.ping() };
  const readStore = { variable: "MONGODB_URL", ping: () => mongo.ping() };
  await waitForEngines([eventStore, readStore, { variable: "REDIS_URL", ping: () => redis.ping() }], logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, secretKey, settings);
  const clock = await openClock(state, process.env);
  const progress = new MongoProgress(mongo, { onProblem: engineProblemLogger(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const models = openMongoReadModels(mongo, { progress });
  const projector = new RemoteProjectorControl({
    requestStore: new ProjectionRequestStore(state),
    projections: PROJECTION_NAMES,
    head: () => events.head(),
    positionOf: (projection) => progress.positionOf(projection),
  });
  const ids = commandIdGenerator(clock);
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle: Lifecycle = { stopping: false };
  const queue = openBullMqJobQueue(redis, LANE_QUEUE, { onProblem: engineProblemLogger(logger, "Redis") });
  shutdown.register("job queue", () => queue.close());
  const webhooks = webhookServices({
    state,
    secretKey,
    allowPrivateTargets: settings.webhookAllowPrivateTargets,
    deliveries: new EndpointDeliveries({ store: state, wake: (lane) => queue.schedule(lane) }),
  });
  const blobs = openGridFsBlobStore(mongo);
  shutdown.register("blob store", () => blobs.close());
  const { services, advanceTo, start } = commandSide({
    gateway: new SandboxGateway(state),
    events,
    state,
    models,
    blobs,
    progress,
    projector,
    clock,
    ids,
    webhooks,
    deliveries: remoteDeliveryWork(new DueDeliveries({ store: state, models, progress }), clock),
    metrics,
    lifecycle,
    logger,
    shutdown,
  });
  const instance = randomUUID();
  await start(new Leases(state, { holder: instance }));
  sweepExpired(state, clock, shutdown);

  const operator = await listenOperator({
    settings,
    token: operatorToken,
    routes: [
      ...commandOperatorRoutes(services, sharedClock(clock, settings.sandboxClock, advanceTo, shutdown)),
      ...projectionRoutes(projector),
      noBackupRoute,
    ],
    logger,
  });
  const limits = new RedisRateCounter(redis, { onProblem: engineProblemLogger(logger, "Redis") });
  const app = publicApp({
    settings,
    secretKey,
    routes: commandRoutes(services),
    directory: new ReadModelCredentialDirectory(models),
    counters: { credentials: limits, addresses: limits },
    positions: withProjectionFallback({
      positions: new RedisWritePositions(redis, { head: () => events.head() }),
      progress,
      projections: PROJECTION_NAMES,
      onProblem: engineProblemLogger(logger, "Redis"),
    }),
    progress,
    idempotency: new Idempotency({ store: state, clock, commandIds: ids, singleProcess: false, holder: instance }),
    issuesTokens: true,
    clock,
    commandIds: ids,
    logger,
    metrics,
    lifecycle,
    plainRoutes: [
      logHeadRoute(secretKey, () => events.head()),
      assignedSeatsRoute(secretKey, async (bookingId) => (await assignSeats(services, bookingId)).position),
    ],
    // Without Redis limits and positions go on by other means.
    readiness: { "the event store": () => isReachable(eventStore), "the read store": () => isReachable(readStore) },
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("servers", () => Promise.all([api.stop(STOP_SERVING_MS), operator.stop(STOP_SERVING_MS)]));
  return readyLines("command-service", api, operator);
}

await runService("command-service", startCommandService);
