import { type DestinationStream, destination, pino, type SerializedError } from "pino";

export const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "fatal", "silent"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

type Write = (fields: object, message: string) => void;

/** Structured lines: facts first, then what happened. */
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

/** What never reaches a log: secrets, and what says who somebody is. */
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
  "token",
  "password",
  "email",
  "name",
  "firstName",
  "lastName",
  "dateOfBirth",
  "passport",
];

/** At the top of a line and up to three levels down. */
function redactedPaths(): string[] {
  return REDACTED.flatMap((field) => ["", "*", "*.*", "*.*.*"].map((above) => `${above}["${field}"]`));
}

/** The name of an error tells its kind, and is kept as that: under `name` it would be taken for a person's. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, ...rest } = pino.stdSerializers.err(error) as SerializedError & { readonly name?: string };
  return { ...rest, type: name ?? rest.type };
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** In every line. */
  readonly service?: string;
  /** Standard error unless told. */
  readonly destination?: DestinationStream;
}

/** JSON lines. Written at once, so that the line about an end is not lost with the process. */
export function createLogger({ level, service, destination: to }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: service === undefined ? null : { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths(), censor: "[redacted]" },
      serializers: { err: loggedError },
    },
    to ?? destination({ fd: 2, sync: true }),
  );
}

/** Keeps quiet; for tests. */
export const silentLogger: Logger = createLogger({ level: "silent" });
