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

// Holds for all threads, so it is set before V8 optimises anything (docs/operations.md#memory).
setFlagsFromString("--no-allocation-site-pretenuring");

/** Only the service's user can read the files of the engines and backups. */
const OWNER_ONLY_UMASK = 0o077;

/** What tests replace of the machine (docs/testing.md#settings-for-tests-only). */
export interface Simulation {
  readonly machineClock: Clock;
  /** Called after each step that a crash may follow, with its name. */
  readonly reachedFaultPoint: (step: string) => void;
}

const NO_SIMULATION: Simulation = { machineClock: systemClock, reachedFaultPoint: () => undefined };

/** What a service starts with. */
export interface ServiceContext extends Simulation {
  readonly settings: Settings;
  /** The environment variables, because the chosen payment gateway reads its own settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly logger: Logger;
  readonly problems: RecentProblems;
  readonly shutdown: Shutdown;
  readonly fatalErrors: FatalErrorHandler;
  /** The heartbeats of all threads of the process. */
  readonly heartbeats: Heartbeats;
  /** Unusual things besides settings, for the text on standard output (`unusualLines`). Undefined: nothing unusual. */
  readonly unusual: (string | Promise<string | undefined>)[];
}

/**
 * The `main` of every service: settings, log, signals, and the report of a failed start. It then exits with code 1;
 * standard error gets one line if an operator can fix the error.
 * @param name the service's name, in every line of its log.
 * @param start resolves once requests are served, with the text for standard output.
 */
export async function runService(
  name: string,
  start: (host: ServiceContext) => Promise<string>,
  simulation = NO_SIMULATION,
): Promise<void> {
  // Output that cannot be written is no reason to end the process.
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
    // A start that was stopped fails, because the shutdown has closed what it uses.
    if (shutdown.isStopping) return;
    await fatalErrors.writersAtRest();
    throw error;
  }
}

/** Standard error must hold only JSON lines of the log. So output of libraries and Node goes to the log. */
function redirectConsoleToLog(logger: Logger): void {
  for (const method of ["error", "warn", "info", "log", "debug", "trace"] as const) {
    console[method] = (...said: readonly unknown[]) => logger.debug({ said: format(...said) }, "library output");
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => logger.debug({ err: warning }, "Node.js warning"));
}

/**
 * Errors that the service cannot survive. During start-up the start fails with the first one. Later the error is logged
 * and ends the process with exit code 1. Nothing is closed then, because an engine that failed to write must not be
 * used again. The next start recovers as after a crash.
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

  /** Returns the result of `start`. @throws the error of `start`, or a fatal error that came before its end. */
  async guardStartup<Started>(start: Promise<Started>): Promise<Started> {
    const started = await Promise.race([start, this.#startup.promise]);
    this.#started = true;
    return started;
  }

  /** Makes a callback for fatal errors. `what` begins the log message and says what cannot go on. */
  handlerFor(what: string): (error: unknown) => void {
    return (error) => {
      if (!this.#started) return this.#startup.reject(error);
      if (this.#ending) return;
      this.#ending = true;
      this.#logger.fatal({ err: error }, `${what}: ${error instanceof Error ? error.message : String(error)}`);
      void this.writersAtRest().then(() => process.exit(1));
    };
  }

  /** Registers a `stop` that ends the writes of another thread. It may fail. */
  registerWriter(stop: () => Promise<unknown>): void {
    this.#stopWriters.push(stop);
  }

  /**
   * Resolves when no other thread writes, or after a second. If a process ends while a write of another thread fails,
   * LMDB aborts it with SIGABRT, and the exit code is lost.
   */
  async writersAtRest(): Promise<void> {
    const stopped = Promise.allSettled(this.#stopWriters.map((stop) => stop()));
    await Promise.race([stopped, setTimeout(1_000)]);
  }
}

/** One line if an operator can fix the error (one per wrong setting). Otherwise the stack. */
function describeStartupError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof EngineUnavailable || error instanceof StartupError) return error.message;
  // A library that is loaded on demand is not installed.
  if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") return `${error.message}: run npm ci`;
  // LMDB's message for damaged pages.
  const damage = /MDB_[A-Z_]+: [^\n]*/.exec(error.message)?.[0];
  if (damage !== undefined) {
    return `a store in the data folder is damaged (${damage}): restore it from a backup; if it is the folder "read", remove that folder and it is built anew`;
  }
  return error.stack ?? error.message;
}
