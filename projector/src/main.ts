import { randomUUID } from "node:crypto";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { Leases } from "@travel-booking/engines/leases";
import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { openMongoStateStore } from "@travel-booking/engines/state-store/mongodb";
import { ProjectionRequestStore } from "@travel-booking/read-models/control";
import { Metrics } from "@travel-booking/runtime";
import {
  checkSecretKey,
  engineProblemLogger,
  isReachable,
  readyLines,
  requireSettings,
  runService,
  type ServiceContext,
  serveHealth,
  waitForEngines,
} from "@travel-booking/service-host";
import { LeasedProjections, registerProjectionGauges } from "./leased-projections.ts";
import { projections } from "./projections/index.ts";

/** The projector as a service of its own, on servers it shares with others of its kind. */
async function startProjectorService(host: ServiceContext): Promise<string> {
  const { logger, shutdown, fatalErrors } = host;
  const settings = requireSettings(host.settings, "eventStoreUrl", "mongodbUrl", "secretKey");
  const mongo = openMongo(settings.mongodbUrl, { onProblem: engineProblemLogger(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const eventStore = openEventStoreDb(settings.eventStoreUrl, {
    onProblem: engineProblemLogger(logger, "EventStoreDB"),
  });
  shutdown.register("EventStoreDB", () => eventStore.close());
  const engines = {
    "the event store": { variable: "EVENT_STORE_URL", ping: () => eventStore.ping() },
    "the read store": { variable: "MONGODB_URL", ping: () => mongo.ping() },
  };
  await waitForEngines(Object.values(engines), logger);

  const state = openMongoStateStore(mongo);
  await checkSecretKey(state, settings.secretKey, settings);
  const worker = randomUUID();
  const projecting = new LeasedProjections({
    eventStore,
    readStore: openMongoReadStore(mongo),
    projections,
    leases: new Leases(state, { holder: worker }),
    requestStore: new ProjectionRequestStore(state),
    instanceId: worker,
    onFatal: fatalErrors.handlerFor("the projector can't go on"),
    onProblem: ({ projection, error }) =>
      logger.error({ projection, err: error }, "a projection failed or skipped an event"),
  });
  projecting.start();
  shutdown.register("projections", () => projecting.stop());

  const metrics = new Metrics();
  metrics.collectProcess();
  registerProjectionGauges(metrics, projecting);
  const readiness = Object.fromEntries(
    Object.entries(engines).map(([name, engine]) => [name, () => isReachable(engine)]),
  );
  return readyLines("projector", await serveHealth(host, { metrics, readiness }));
}

await runService("projector", startProjectorService);
