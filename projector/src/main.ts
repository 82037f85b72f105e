import { randomUUID } from "node:crypto";
import { openEventStoreDb } from "@travel-booking/engines/event-store";
import { Leases } from "@travel-booking/engines/leases";
import { openMongo } from "@travel-booking/engines/mongodb";
import { openMongoReadStore } from "@travel-booking/engines/read-store";
import { openMongoStateStore } from "@travel-booking/engines/state-store";
import { ProjectionDesk } from "@travel-booking/read-models/control";
import { Metrics } from "@travel-booking/runtime";
import {
  answers,
  checkSecretKey,
  type Host,
  logged,
  readyLines,
  runService,
  serveHealth,
  settingsWith,
  waitForEngines,
} from "@travel-booking/service-host";
import { registerProjectionGauges } from "./hosting/gauges.ts";
import { LeasedProjections } from "./hosting/leased-projections.ts";
import { projections } from "./projections/index.ts";

/** The projector as a service of its own, on servers it shares with others of its kind. */
async function startProjectorService(host: Host): Promise<string> {
  const { logger, shutdown, faults } = host;
  const settings = settingsWith(host.settings, "eventStoreUrl", "mongodbUrl", "secretKey");
  const mongo = openMongo(settings.mongodbUrl, { onProblem: logged(logger, "MongoDB") });
  shutdown.register("MongoDB", () => mongo.close());
  const eventStore = openEventStoreDb(settings.eventStoreUrl, { onProblem: logged(logger, "EventStoreDB") });
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
    desk: new ProjectionDesk(state),
    worker,
    onFatal: faults.report("the projector can't go on"),
    onProblem: ({ projection, error }) => logger.error({ projection, err: error }, "a projection has a problem"),
  });
  projecting.start();
  shutdown.register("projections", () => projecting.stop());

  const metrics = new Metrics();
  metrics.collectProcess();
  registerProjectionGauges(metrics, projecting);
  const readiness = Object.fromEntries(Object.entries(engines).map(([name, engine]) => [name, () => answers(engine)]));
  return readyLines("projector", await serveHealth(host, { metrics, readiness }));
}

await runService("projector", startProjectorService);
