import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFreeFolder } from "@travel-booking/engines/lmdb/data-folder";
import { Cursors } from "@travel-booking/http";
import { deriveKeys, TextSigner } from "@travel-booking/runtime";
import {
  logHeadClient,
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  seatAssignmentClient,
  serve,
  syncClock,
} from "@travel-booking/service-host";
import { composeApiService } from "@travel-booking/service-host/compose";
import { EndpointDeliveries } from "@travel-booking/webhooks/deliveries";
import { EventNotifier } from "./event-notifier.ts";
import { openApiRoutes } from "./openapi/openapi-routes.ts";
import { openPrinter } from "./printer.ts";
import { queryRoutes } from "./routes.ts";

/** The query-service as a service of its own: it reads MongoDB and Redis, and never the log. */
async function startQueryService(host: ServiceContext): Promise<string> {
  const { shutdown } = host;
  const settings = requireSettings(host.settings, "mongodbUrl", "redisUrl", "secretKey", "commandServiceUrl");
  const { commandServiceUrl } = settings;
  const service = await composeApiService(host, settings, new ServerConnections(host));
  const { trustedKey } = service.keys;
  const { state, words, models, progress, clock, metrics, health } = service;
  if (settings.sandboxClock) syncClock(clock, shutdown);

  const eventNotifier = new EventNotifier({ models, progress });
  metrics.gauge("event_waits", "Requests that wait for an event.", () => eventNotifier.waiting);
  const positions = service.writePositions(logHeadClient(commandServiceUrl, trustedKey));
  const openApi = openApiRoutes(settings.rateLimitPerMinute > 0);
  const app = service.publicApp({
    routes: [
      ...queryRoutes({
        models,
        progress,
        clock,
        words,
        cursors: new Cursors(deriveKeys(trustedKey, "cursors")),
        eventNotifier,
        testEvents: state,
        deliveries: new EndpointDeliveries({ store: state }),
        boardingPasses: {
          assignSeats: seatAssignmentClient(commandServiceUrl, trustedKey),
          positions,
          signer: new TextSigner(deriveKeys(trustedKey, "boarding-passes")),
          printer: openPrinter({ ...host, folder: () => ownBrowserFolder(host) }),
        },
      }),
      ...openApi.routes,
    ],
    plainRoutes: openApi.pages,
    positions,
    issuesTokens: false,
  });
  const urls = await serve(host, app, { token: settings.operatorToken, routes: [], metrics, health });
  // Runs before the server stops: it waits for open requests.
  shutdown.register("waiting requests", () => eventNotifier.stop());
  return readyLines("query-service", urls, host);
}

/**
 * A private folder for the browser of this process: in the data folder if that is writable. One elsewhere is not found by
 * the next process, so it goes with this one.
 */
function ownBrowserFolder({ settings, shutdown }: ServiceContext): string {
  try {
    return lockFreeFolder(settings.dataDir, "browser");
  } catch {
    const folder = mkdtempSync(join(tmpdir(), "travel-booking-browser-"));
    shutdown.register("browser's folder", () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  }
}

await runService("query-service", startQueryService);
