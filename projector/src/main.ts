import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { openMongoReadStore } from "@travel-booking/engines/read-store/mongodb";
import {
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  serveHealth,
} from "@travel-booking/service-host";
import { builtProjections, followReadModels, openSharedCore } from "@travel-booking/service-host/compose";
import { registerProjectionGauges, startLeasedProjections } from "./leased-projections.ts";

/** The projector as a service of its own, on servers it shares with other instances. */
async function startProjectorService(host: ServiceContext): Promise<string> {
  const settings = requireSettings(host.settings, "eventStoreUrl", "mongodbUrl", "secretKey");
  const servers = new ServerConnections(host);
  const eventStore = servers.open("EventStoreDB", (options) => openEventStoreDb(settings.eventStoreUrl, options));
  const core = await openSharedCore(host, settings, servers);
  const { mongo, metrics } = core;

  const leasedProjections = startLeasedProjections(host, core, { eventStore, readStore: openMongoReadStore(mongo) });
  registerProjectionGauges(metrics, leasedProjections);

  const theLog = () => leasedProjections.anotherLog?.message ?? true;
  // Not ready before its projections are built, so that an upgrade keeps the older projectors until then.
  const starting = builtProjections(await followReadModels(host, mongo));
  const readiness = { store: { ...servers.readiness, "the log": theLog }, starting };
  return readyLines("projector", await serveHealth(host, readiness, metrics), host);
}

await runService("projector", startProjectorService);
