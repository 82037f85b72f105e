import { writeSync } from "node:fs";
import { type DestinationStream, pino, type SerializedError } from "pino";
import { LogOutput } from "./log-output.ts";
import { readableLine } from "./readable-line.ts";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Write = (fields: object, message: string) => void;

/** Structured lines: fields first, then the message. */
export interface Logger {
  readonly trace: Write;
  readonly debug: Write;
  readonly info: Write;
  readonly warn: Write;
  readonly error: Write;
  readonly fatal: Write;
  isLevelEnabled(level: string): boolean;
  child(fields: object): Logger;
}

/** Fields that never reach a log: secrets and personal data. */
const REDACTED = [
  "authorization",
  "x-api-key",
  "apiKey",
  "client_secret",
  "clientSecret",
  "access_token",
  "accessToken",
  "secret",
  "secretHash",
  "secretKey",
  "secretKeyPrevious",
  "token",
  "password",
  "email",
  "name",
  "firstName",
  "lastName",
  "dateOfBirth",
  "passport",
];

/** Paths of the redacted fields, at the top of a line and up to three levels down. */
function redactedPaths(): string[] {
  return REDACTED.flatMap((field) => ["", "*", "*.*", "*.*.*"].map((above) => `${above}["${field}"]`));
}

/** Logs the name of an error as `type`: `name` would be redacted as a person's name. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, ...rest } = pino.stdSerializers.err(error) as SerializedError & { readonly name?: string };
  return { ...rest, type: name ?? rest.type };
}

/** A line of the log that reports a problem. */
export interface LoggedProblem {
  readonly time: string;
  readonly level: string;
  readonly msg: string;
  readonly [field: string]: unknown;
}

const MAX_PROBLEMS = 50;

/** The latest warnings and errors of a process, as they are in its log. */
export class RecentProblems {
  readonly #lines: string[] = [];

  /** Newest first. */
  get newest(): readonly LoggedProblem[] {
    return this.#lines.map((line) => JSON.parse(line) as LoggedProblem).reverse();
  }

  /** Keeps a line of the log if it reports a problem. */
  look(line: string): void {
    if (!/^\{"level":"(?:warn|error|fatal)"/.test(line)) return;
    this.#lines.push(line);
    if (this.#lines.length > MAX_PROBLEMS) this.#lines.shift();
  }
}

interface LoggerOptions {
  readonly level: LogLevel;
  /** In every line. */
  readonly service?: string;
  /** Sees every line. */
  readonly problems?: RecentProblems;
  /** Standard error by default. */
  readonly destination?: DestinationStream;
  /** Writes lines for people instead of JSON. Absent: only if the output is a terminal on standard error. */
  readonly readable?: boolean;
}

const STDERR = 2;

/** Writes the last lines of the process, too, before it exits. */
function standardError(onDropped: (lines: number) => void): LogOutput {
  const output = new LogOutput({ write: (bytes) => writeSync(STDERR, bytes), onDropped });
  process.once("exit", () => output.flushSync());
  return output;
}

/** JSON lines, or lines for people on a terminal. */
export function createLogger({ level, service, problems, destination: to, readable }: LoggerOptions): Logger {
  // Reading `isTTY` makes Node write to a pipe without waiting for room.
  const isReadable = readable ?? (to === undefined && process.stderr.isTTY === true);
  const colours = !process.env.NO_COLOR && process.env.TERM !== "dumb";
  const output =
    to ??
    standardError((lines) =>
      logger.error({ lines }, "lines of the log were dropped: nobody read what it is written to"),
    );
  const logger = pino(
    {
      level,
      base: service === undefined ? null : { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths(), censor: "[redacted]" },
      serializers: { err: loggedError },
      ...((problems || isReadable) && {
        hooks: {
          streamWrite(line) {
            problems?.look(line);
            return isReadable ? readableLine(line, colours) : line;
          },
        },
      }),
    },
    output,
  );
  return logger;
}

/** Logs the outages of an engine that recovers by itself. Not every engine reports when an outage is over. */
export function engineLog(logger: Logger, engine: string) {
  return {
    onProblem: (error: unknown) => logger.warn({ err: error, engine }, "engine error; retrying"),
    onRecovered: () => logger.info({ engine }, "the engine answers again"),
  };
}

/** For tests. */
export const silentLogger: Logger = createLogger({ level: "silent" });
