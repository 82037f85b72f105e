import { createLogger, readSettings, Shutdown, watchNpmParent } from "@travel-booking/runtime";
import { startStandalone } from "./standalone.ts";
import { consoleToLog } from "./starting/console-to-log.ts";
import { mustBeEmbedded } from "./starting/embedded-only.ts";
import { explain } from "./starting/explain.ts";
import { FatalFaults } from "./starting/fatal-faults.ts";

/** Whatever is written, the files of the engines and backups included, is for this user alone. */
const FOR_NOBODY_ELSE = 0o077;

/** The one process of `npm start`: command-service, query-service and projector on embedded engines. */
async function main(): Promise<void> {
  process.umask(FOR_NOBODY_ELSE);
  const settings = readSettings(process.env);
  mustBeEmbedded(settings);
  const logger = createLogger({ level: settings.logLevel, service: "standalone" });
  consoleToLog(logger);
  const shutdown = new Shutdown({ logger });
  shutdown.listen();
  watchNpmParent(() => void shutdown.stop("the npm that started this process has ended"));
  const faults = new FatalFaults(logger);
  try {
    const summary = await faults.during(startStandalone(settings, { logger, shutdown, faults }));
    if (!shutdown.isStopping) process.stdout.write(summary);
  } catch (error) {
    // A start that is stopped finds things closed under it, which is no fault.
    if (!shutdown.isStopping) throw error;
  }
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
