import {
  createLogger,
  type Logger,
  readSettings,
  type Settings,
  Shutdown,
  watchNpmParent,
} from "@travel-booking/runtime";
import { describeStartupError } from "./describe-startup-error.ts";
import { FatalErrorHandler } from "./fatal-error-handler.ts";
import { redirectConsoleToLog } from "./redirect-console-to-log.ts";

/** Whatever is written, the files of the engines and backups included, is for this user alone. */
const OWNER_ONLY_UMASK = 0o077;

/** What a service starts with. */
export interface ServiceContext {
  readonly settings: Settings;
  readonly logger: Logger;
  readonly shutdown: Shutdown;
  readonly fatalErrors: FatalErrorHandler;
}

/**
 * The `main` of every service: settings, log, signals, and how a start fails (one line on standard error for what an
 * operator can mend, exit code 1).
 * @param name of the service, in every line of its log.
 * @param start resolves once requests are served; what it answers goes to standard output.
 */
export async function runService(
  name: string,
  start: (host: ServiceContext) => Promise<string | undefined>,
): Promise<void> {
  try {
    await run(name, start);
  } catch (error) {
    process.stderr.write(`${describeStartupError(error)}\n`);
    process.exit(1);
  }
}

async function run(name: string, start: (host: ServiceContext) => Promise<string | undefined>): Promise<void> {
  process.umask(OWNER_ONLY_UMASK);
  const settings = readSettings(process.env);
  const logger = createLogger({ level: settings.logLevel, service: name });
  redirectConsoleToLog(logger);
  const shutdown = new Shutdown({ logger });
  shutdown.handleSignals();
  watchNpmParent(() => void shutdown.stop("the npm that started this process has ended"));
  const faults = new FatalErrorHandler(logger);
  try {
    const summary = await faults.guardStartup(start({ settings, logger, shutdown, fatalErrors: faults }));
    if (summary !== undefined && !shutdown.isStopping) process.stdout.write(summary);
  } catch (error) {
    // A start that is stopped finds things closed under it, which is no fault.
    if (!shutdown.isStopping) throw error;
  }
}
