import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { lockFreeFolder } from "@travel-booking/engines/lmdb/data-folder";
import {
  logHeadClient,
  readyLines,
  requireSettings,
  runService,
  ServerConnections,
  type ServiceContext,
  seatAssignmentClient,
  serveParts,
  syncClock,
} from "@travel-booking/service-host";
import { openSharedApiCore } from "@travel-booking/service-host/compose";
import { queryRole } from "./query-role.ts";

/** The query-service as a service of its own: it reads MongoDB and Redis, and never the log. */
async function startQueryService(host: ServiceContext): Promise<string> {
  const settings = requireSettings(host.settings, "mongodbUrl", "redisUrl", "secretKey", "commandServiceUrl");
  const { commandServiceUrl, sandboxClock } = settings;
  const servers = new ServerConnections(host);
  const core = await openSharedApiCore(host, settings, servers, (key) => logHeadClient(commandServiceUrl, key));
  if (sandboxClock) syncClock(core.clock, host.shutdown);
  const query = queryRole(host, core, {
    assignSeats: seatAssignmentClient(commandServiceUrl, core.secretKeys.trustedKey),
    browserFolder: () => ownBrowserFolder(host),
  });
  return readyLines("query-service", await serveParts(host, core, [query]), host);
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
