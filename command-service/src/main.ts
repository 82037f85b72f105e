import { randomUUID } from "node:crypto";
import { openGridFsBlobStore } from "@travel-booking/engines/blob-store";
import { openEventStoreDb } from "@travel-booking/engines/event-store";
import { openBullJobQueue } from "@travel-booking/engines/job-queue";
import { Leases } from "@travel-booking/engines/leases";
import { openMongo } from "@travel-booking/engines/mongodb";
import { RedisRateCounter } from "@travel-booking/engines/rate-counter";
import { MongoProgress, openMongoReadModels } from "@travel-booking/engines/read-store";
import { openRedis } from "@travel-booking/engines/redis";
import { openMongoStateStore } from "@travel-booking/engines/state-store";
import { RedisWritePositions } from "@travel-booking/engines/write-positions";
import { Idempotency, type Lifecycle } from "@travel-booking/http";
import { SandboxGateway } from "@travel-booking/payment-gateway";
import { PROJECTION_NAMES, ReadModelCredentialDirectory } from "@travel-booking/read-models";
import { ProjectionDesk, SharedProjectorControl } from "@travel-booking/read-models/control";
import { commandIds, Metrics } from "@travel-booking/runtime";
import {
  answers,
  assignedSeatsCall,
  checkSecretKey,
  forgetExpired,
  type Host,
  keptOrProjected,
  listen,
  listenOperator,
  logged,
  logHeadPage,
  openClock,
  publicApp,
  readyLines,
  runService,
  STOP_SERVING_MS,
  settingsWith,
  waitForEngines,
} from "@travel-booking/service-host";
import { DeliveryLog, DueDeliveries, LANES } from "@travel-booking/webhooks/deliveries";
import { commandSide } from "./hosting/command-side.ts";
import { dueElsewhere } from "./hosting/due-elsewhere.ts";
import { sharedClock } from "./hosting/shared-clock.ts";
import { noBackupRoute } from "./operator/no-backup.ts";
import { projectionRoutes } from "./operator/projections.ts";
import { commandOperatorRoutes } from "./operator/routes.ts";
import { assignSeats } from "./policies/assign-seats.ts";
import { commandRoutes } from "./routes.ts";
import { webhookServices } from "./webhooks/webhook-services.ts";

/** The command-service as a service of its own, on servers it shares with others of its kind. */
async function startCommandService(host: Host): Promise<string> {
  const { logger, shutdown } = host;
  const settings = settingsWith(host.settings, "eventStoreUrl", "mongodbUrl", "redisUrl", "secretKey", "operatorToken");
  const { secretKey, operatorToken } = settings;
  const mongo = openMongo(settings.mongodbUrl, { onProblem: logged(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const events = openEventStoreDb(settings.eventStoreUrl, { onProblem: logged(logger, "EventStoreDB") });
  shutdown.register("EventStoreDB", () => events.close());
  const redis = openRedis(settings.redisUrl, { onProblem: logged(logger, "Redis") });
  shutdown.register("Redis", () => redis.close());
  const eventStore = { variable: "EVENT_STORE_URL", ping: () => events.ping() };
  const readStore = { variable: "MONGODB_URL", ping: () => mongo.ping() };
  await waitForEngines([eventStore, readStore, { variable: "REDIS_URL", ping: () => redis.ping() }], logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, secretKey, settings);
  const clock = await openClock(state, process.env);
  const progress = new MongoProgress(mongo, { onProblem: logged(logger, "MongoDB") });
  await progress.start();
  shutdown.register("progress", () => progress.stop());
  const models = openMongoReadModels(mongo, { progress });
  const projector = new SharedProjectorControl({
    desk: new ProjectionDesk(state),
    projections: PROJECTION_NAMES,
    head: () => events.head(),
    positionOf: (projection) => progress.positionOf(projection),
  });
  const ids = commandIds(clock);
  const metrics = new Metrics();
  metrics.collectProcess();
  const lifecycle: Lifecycle = { stopping: false };
  const queue = openBullJobQueue(redis, LANES, { onProblem: logged(logger, "Redis") });
  shutdown.register("job queue", () => queue.close());
  const webhooks = webhookServices({
    state,
    secretKey,
    allowPrivateTargets: settings.webhookAllowPrivateTargets,
    deliveries: new DeliveryLog({ store: state, wake: (lane) => queue.wake(lane) }),
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
    deliveries: dueElsewhere(new DueDeliveries({ store: state, models, progress }), clock),
    metrics,
    lifecycle,
    logger,
    shutdown,
  });
  const instance = randomUUID();
  await start(new Leases(state, { holder: instance }));
  forgetExpired(state, clock, shutdown);

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
  const limits = new RedisRateCounter(redis, { onProblem: logged(logger, "Redis") });
  const app = publicApp({
    settings,
    secretKey,
    routes: commandRoutes(services),
    directory: new ReadModelCredentialDirectory(models),
    counters: { credentials: limits, addresses: limits },
    positions: keptOrProjected({
      positions: new RedisWritePositions(redis, { head: () => events.head() }),
      progress,
      projections: PROJECTION_NAMES,
      onProblem: logged(logger, "Redis"),
    }),
    progress,
    idempotency: new Idempotency({ store: state, clock, commandIds: ids, alone: false, holder: instance }),
    issuesTokens: true,
    clock,
    commandIds: ids,
    logger,
    metrics,
    lifecycle,
    pages: logHeadPage(secretKey, () => events.head()),
    calls: assignedSeatsCall(secretKey, async (bookingId) => (await assignSeats(services, bookingId)).position),
    // Without Redis limits and positions go on by other means.
    readiness: { "the event store": () => answers(eventStore), "the read store": () => answers(readStore) },
  });
  const variables = { host: "HOST", port: "PORT" };
  const api = await listen(app, { host: settings.host, port: settings.port, variables, lifecycle });
  shutdown.register("servers", () => Promise.all([api.stop(STOP_SERVING_MS), operator.stop(STOP_SERVING_MS)]));
  return readyLines("command-service", api, operator);
}

await runService("command-service", startCommandService);
