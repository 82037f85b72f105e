import {
  createLogger,
  type Logger,
  readSettings,
  type Settings,
  Shutdown,
  watchNpmParent,
} from "@travel-booking/runtime";
import { consoleToLog } from "./console-to-log.ts";
import { explain } from "./explain.ts";
import { FatalFaults } from "./fatal-faults.ts";

/** Whatever is written, the files of the engines and backups included, is for this user alone. */
const FOR_NOBODY_ELSE = 0o077;

/** What a service starts with. */
export interface Host {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  readonly faults: FatalFaults;
}

/**
 * The `main` of every service: settings, log, signals, and how a start fails (one line on standard error for what an
 * operator can mend, exit code 1).
 * @param name of the service, in every line of its log.
 * @param start resolves once requests are served; what it answers goes to standard output.
 */
export async function runService(name: string, start: (host: Host) => Promise<string | undefined>): Promise<void> {
  try {
    await run(name, start);
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

async function run(name: string, start: (host: Host) => Promise<string | undefined>): Promise<void> {
  process.umask(FOR_NOBODY_ELSE);
  const settings = readSettings(process.env);
  const logger = createLogger({ level: settings.logLevel, service: name });
  consoleToLog(logger);
  const shutdown = new Shutdown({ logger });
  shutdown.listen();
  watchNpmParent(() => void shutdown.stop("the npm that started this process has ended"));
  const faults = new FatalFaults(logger);
  try {
    const summary = await faults.during(start({ settings, logger, shutdown, faults }));
    if (summary !== undefined && !shutdown.isStopping) process.stdout.write(summary);
  } catch (error) {
    // A start that is stopped finds things closed under it, which is no fault.
    if (!shutdown.isStopping) throw error;
  }
}
