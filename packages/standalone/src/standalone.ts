import { join } from "node:path";
import type { Worker } from "node:worker_threads";
import { type CommandPart, commandRole, remoteDeliveryWork } from "@travel-booking/command-service";
import { chooseGateway } from "@travel-booking/payment-gateway/gateways";
import { queryRole } from "@travel-booking/query-service";
import { StartupError } from "@travel-booking/runtime";
import {
  checkKeys,
  openCore,
  type Part,
  type ServiceContext,
  secretsOf,
  serveParts,
  unusualLines,
} from "@travel-booking/service-host";
import { type WebhookPart, webhookRole } from "@travel-booking/webhook-dispatcher";
import { backups } from "./backup.ts";
import { createDemo, loadOrCreateDemoAccount, operatorCaller, writeDemoFile, writeOperatorUrl } from "./demo.ts";
import { watchDisk } from "./disk-watch.ts";
import { openEngines } from "./engines.ts";
import { startProjection } from "./projection.ts";
import { assignsNoSeats, readOnlyPart } from "./read-only.ts";
import { startupSummary } from "./startup-summary.ts";

const OTHER_KEY =
  "what is stored was sealed under another secret key: tokens and cursors given out are void, personal words " +
  "stored before can't be read and show as [erased], " +
  "and webhook endpoints made before have to be created anew, for their secrets can't be read";

const OTHER_KEYS = "the keys of personal words are lost: those stored before show as [erased]";

/**
 * Starts all services in one process, on embedded engines or on the servers in the settings. Returns the start-up
 * summary once the services accept requests.
 * @param projectorThread as `beginProjectorThread` began it.
 * @throws StorageError about the data folder.
 * @throws StartupError about anything else an operator can fix.
 */
export async function startStandalone(host: ServiceContext, projectorThread: Worker | undefined): Promise<string> {
  const { settings, logger, shutdown } = host;
  const { dataDir, readOnly } = settings;
  if (readOnly && process.argv.includes("--erasures"))
    throw new StartupError("READ_ONLY changes nothing: start once without it, so that --erasures are done again");
  const gateway = await chooseGateway(host.environment, settings);
  const engines = await openEngines(host);
  const { events, knownLog, state, keys, counters, positions, queue } = engines;
  const { secretKeyIsGenerated, operatorToken, ...given } = secretsOf(settings);
  // A copy without its key is still usable for all unsealed data.
  const secretKeyIsNew = settings.secretKeyIsNew || secretKeyIsGenerated;
  const opened = await openCore(host, engines, { ...settings, ...given, secretKeyIsNew });
  const { clock, metrics } = opened;
  if (opened.secretKeys.isReplaced) logger.warn({}, OTHER_KEY);
  const isNew = (await events.head()) === 0n;
  const keysChecked = checkKeys(state, keys, { secretKeyIsNew });
  // Told where it is awaited; that the log is another one is told first.
  keysChecked.catch(() => undefined);
  const projection = await startProjection(host, engines, opened, keysChecked, projectorThread);
  if (await keysChecked) logger.warn({}, OTHER_KEYS);

  const { disk } = engines.local;
  const room = disk && watchDisk(disk, host, metrics);
  const mayBegin = () => disk?.takesCommands !== false && knownLog?.problem === undefined;
  const readiness = { store: engines.readiness, disk_full: room?.readiness ?? {} };
  const core = { ...opened, ...projection, counters, positions, readiness, mayBegin };
  const waitUntilCaughtUp = () => command.catchUpMonitor.waitUntilCaughtUp();
  const webhooks: WebhookPart = webhookRole(host, core, { queue, waitUntilCaughtUp });
  const { dispatcher } = webhooks;
  const { routes, make } = backups(engines.local, settings, (work) => command.whileNothingIsErased(work));
  const { backupTo } = settings;
  const scheduled =
    backupTo === undefined || readOnly
      ? undefined
      : (await import("./scheduled-backups.ts")).scheduleBackups(host, metrics, backupTo, make);
  const command: CommandPart = commandRole(host, core, {
    ...engines,
    ...projection,
    gateway,
    // Beside other instances, the one that holds the lease delivers.
    deliveries: core.instance === undefined ? dispatcher : remoteDeliveryWork(dispatcher.due, clock),
    refuseWrite: room?.refuseWrite,
    readinessDetails: scheduled?.details,
  });

  await command.compareLog();
  await command.catchUpMonitor.waitUntilCaughtUpUnbounded(logger);
  const operator = operatorCaller(command.operatorRoutes, opened.ids);
  const create = () => createDemo(operator, clock.now());
  const demo = readOnly
    ? undefined
    : await loadOrCreateDemoAccount({ settings, state, isNew: isNew && mayBegin(), create });
  await command.start();
  webhooks.start();
  scheduled?.start();

  const assignSeats = readOnly ? assignsNoSeats : command.assignSeats;
  const query = queryRole(host, core, { assignSeats, browserFolder: () => join(dataDir, "browser") });
  const parts: readonly Part[] = [command, query, webhooks, { operatorRoutes: routes }];
  const urls = await serveParts(host, core, readOnly ? parts.map(readOnlyPart) : parts, operatorToken);

  writeOperatorUrl(dataDir, urls.operatorUrl);
  if (demo !== undefined) {
    writeDemoFile(dataDir, { ...urls, ...demo });
    const { baseUrl } = urls;
    // Not waited for: the service is ready.
    const { liveDemo } = await import("./demo-life.ts");
    shutdown.run("demo account", (signal) =>
      liveDemo({ demo, baseUrl, operator, state, signal }).catch((error: Error) => {
        const reason = error.message;
        if (!shutdown.isStopping)
          logger.warn({ reason }, "the demo account has not all it should have: the next start goes on");
      }),
    );
  }
  return startupSummary({ ...urls, settings, unusual: await unusualLines(host), demo });
}
