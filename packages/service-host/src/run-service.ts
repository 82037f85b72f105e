import { setTimeout } from "node:timers/promises";
import { format } from "node:util";
import { setFlagsFromString } from "node:v8";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import {
  type Clock,
  createLogger,
  type Logger,
  RecentProblems,
  readSettings,
  type Settings,
  Shutdown,
  StartupError,
  systemClock,
  watchNpmParent,
} from "@travel-booking/runtime";
import { beginHeartbeat, createHeartbeats, type Heartbeats, startWatchdog } from "@travel-booking/runtime/watchdog";

// For all threads, and before V8 optimises anything (docs/operations.md#memory).
setFlagsFromString("--no-allocation-site-pretenuring");

/** Files of the engines and backups are readable by the service's user alone. */
const OWNER_ONLY_UMASK = 0o077;

/** What tests put in the place of the machine (docs/testing.md#settings-for-tests-only). */
export interface Simulation {
  readonly machineClock: Clock;
  /** Called after each step that a crash may follow, with its name. */
  readonly reachedFaultPoint: (step: string) => void;
}

const NO_SIMULATION: Simulation = { machineClock: systemClock, reachedFaultPoint: () => undefined };

/** What a service starts with. */
export interface ServiceContext extends Simulation {
  readonly settings: Settings;
  /** For what has settings of its own: the chosen payment gateway. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  readonly problems: RecentProblems;
  readonly shutdown: Shutdown;
  readonly fatalErrors: FatalErrorHandler;
  /** Of all threads of the process. */
  readonly heartbeats: Heartbeats;
  /** What the start finds unusual besides settings, for the text on standard output (`unusualLines`); undefined: nothing. */
  readonly unusual: (string | Promise<string | undefined>)[];
}

/**
 * The `main` of every service: settings, log, signals, and the report of a start that fails (exit code 1; one line on
 * standard error for an error that an operator can fix).
 * @param name of the service, in every line of its log.
 * @param start resolves once requests are served, with the text for standard output.
 */
export async function runService(
  name: string,
  start: (host: ServiceContext) => Promise<string>,
  simulation = NO_SIMULATION,
): Promise<void> {
  // A summary, or a last word, that nobody can read is no reason to end.
  for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);
  try {
    await run(name, start, simulation);
  } catch (error) {
    process.stderr.write(`${describeStartupError(error)}\n`);
    process.exit(1);
  }
}

async function run(
  name: string,
  start: (host: ServiceContext) => Promise<string>,
  simulation: Simulation,
): Promise<void> {
  process.umask(OWNER_ONLY_UMASK);
  const settings = readSettings(process.env);
  const problems = new RecentProblems();
  const logger = createLogger({ level: settings.logLevel, service: name, problems });
  redirectConsoleToLog(logger);
  const shutdown = new Shutdown({ logger });
  shutdown.handleSignals();
  watchNpmParent(() => void shutdown.stop("the npm that started this process has ended"));
  const fatalErrors = new FatalErrorHandler(logger);
  const heartbeats = createHeartbeats();
  try {
    const environment = process.env;
    const opened = { settings, environment, logger, problems, shutdown, fatalErrors, heartbeats };
    const summary = await fatalErrors.guardStartup(start({ ...simulation, ...opened, unusual: [] }));
    const { watchdogSeconds: seconds, logLevel } = settings;
    if (seconds > 0) await startWatchdog({ heartbeats, seconds, service: name, logLevel });
    if (shutdown.isStopping) return;
    process.stdout.write(summary);
    if (seconds > 0) beginHeartbeat(heartbeats, "main");
  } catch (error) {
    // A start that was stopped fails on what the shutdown has closed.
    if (shutdown.isStopping) return;
    await fatalErrors.writersAtRest();
    throw error;
  }
}

/** Standard error holds the log's JSON lines only: what libraries and Node would print there goes to the log. */
function redirectConsoleToLog(logger: Logger): void {
  for (const method of ["error", "warn", "info", "log", "debug", "trace"] as const) {
    console[method] = (...said: readonly unknown[]) => logger.debug({ said: format(...said) }, "library output");
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => logger.debug({ err: warning }, "Node.js warning"));
}

/**
 * Errors that the service cannot survive. During start-up the start fails with the first one; later it is logged and
 * ends the process with exit code 1. Nothing else is closed then: an engine that failed to write must not be used
 * again, and the next start recovers as after a crash.
 */
export class FatalErrorHandler {
  readonly #logger: Logger;
  readonly #startup = Promise.withResolvers<never>();
  readonly #stopWriters: (() => Promise<unknown>)[] = [];
  #started = false;
  #ending = false;

  constructor(logger: Logger) {
    this.#logger = logger;
    this.#startup.promise.catch(() => undefined);
  }

  /** The result of `start`. @throws what it throws, or the first fatal error before it is done. */
  async guardStartup<Started>(start: Promise<Started>): Promise<Started> {
    const started = await Promise.race([start, this.#startup.promise]);
    this.#started = true;
    return started;
  }

  /** A callback for fatal errors; `what` begins the log message and says what cannot go on. */
  handlerFor(what: string): (error: unknown) => void {
    return (error) => {
      if (!this.#started) return this.#startup.reject(error);
      if (this.#ending) return;
      this.#ending = true;
      this.#logger.fatal({ err: error }, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      void this.writersAtRest().then(() => process.exit(1));
    };
  }

  /** `stop` ends what another thread writes; it may fail. */
  registerWriter(stop: () => Promise<unknown>): void {
    this.#stopWriters.push(stop);
  }

  /**
   * Resolves when no other thread writes, or after a second: LMDB aborts a process that ends (SIGABRT instead of the
   * exit code) while a write of another thread fails.
   */
  async writersAtRest(): Promise<void> {
    const stopped = Promise.allSettled(this.#stopWriters.map((stop) => stop()));
    await Promise.race([stopped, setTimeout(1_000)]);
  }
}

/** One line for what an operator can fix (a line for each wrong setting); the stack for anything else. */
function describeStartupError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof EngineUnavailable || error instanceof StartupError) return error.message;
  // A library that is loaded only where it is needed.
  if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return `${error.message}: run npm ci`;
  // LMDB's message for pages that are not what it wrote.
  const damage = /MDB_[A-Z_]+: [^\n]*/.exec(error.message)?.[0];
  if (damage !== undefined) {
    return `a store in the data folder is damaged (${damage}): restore it from a backup; if it is the folder "read", remove that folder and it is built anew`;
  }
  return error.stack ?? error.message;
}
