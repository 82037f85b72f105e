import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import { SealedWords } from "@travel-booking/read-models/sealed-words";
import {
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  serveHealth,
} from "@travel-booking/service-host";
import { builtProjections, composeService, followReadModels } from "@travel-booking/service-host/compose";
import { registerProjectionGauges, startLeasedProjections } from "./leased-projections.ts";

/** The projector as a service of its own, on servers it shares with other instances. */
async function startProjectorService(host: ServiceContext): Promise<string> {
  const settings = requireSettings(host.settings, "eventStoreUrl", "mongodbUrl", "secretKey");
  const servers = new ServerConnections(host);
  const eventStore = servers.open("EventStoreDB", (options) => openEventStoreDb(settings.eventStoreUrl, options));
  const { mongo, state, keys, instanceId, leases, metrics } = await composeService(host, settings, servers);
  const words = new SealedWords({ state, secretKey: keys.secretKey, shared: true });

  const leasedProjections = startLeasedProjections(host, {
    eventStore,
    readStore: openMongoReadStore(mongo),
    words,
    leases,
    state,
    instanceId,
  });
  registerProjectionGauges(metrics, leasedProjections);

  const theLog = () => leasedProjections.anotherLog?.message ?? true;
  // Whoever replaces an older release keeps its projectors until these have built what they need.
  const starting = builtProjections(await followReadModels(host, mongo));
  const readiness = { store: { ...servers.readiness, "the log": theLog }, starting };
  return readyLines("projector", await serveHealth(host, readiness, metrics), host);
}

await runService("projector", startProjectorService);
