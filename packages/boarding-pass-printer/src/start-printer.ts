import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Duplex } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Logger, LogLevel } from "@travel-booking/runtime";
import type { DrawingOptions } from "./begin-drawing.ts";

/** Options of a printer. None is secret. */
export interface PrinterOptions extends DrawingOptions {
  readonly logLevel: LogLevel;
}

const PROGRAM = fileURLToPath(new URL("./child-main.ts", import.meta.url));
/** Megabytes of the process's JavaScript heap. */
const MAX_HEAP_MB = 256;

/**
 * Starts a printer as a child process, without our environment. Returns the stream on which it draws. It ends with the
 * stream, so it never outlives this process. Its log goes to our log.
 * @throws Error it can't be started.
 */
export async function startPrinter(options: PrinterOptions, logger: Logger): Promise<Duplex> {
  const flags = [`--max-old-space-size=${MAX_HEAP_MB}`, "--disable-sigusr1"];
  const child = spawn(process.execPath, [...flags, PROGRAM, JSON.stringify(options)], {
    env: { PATH: process.env.PATH ?? "" },
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  child.once("error", (error) => logger.error({ err: error }, "the printer of boarding passes can't be started"));
  child.once("exit", (code, signal) => {
    if (code !== 0)
      logger.error({ code, signal }, "the printer of boarding passes has ended; it is started again on demand");
  });
  // Without a free file descriptor there are no streams.
  if (child.pid === undefined || child.stderr === null) throw new Error("it can't be started");
  createInterface({ input: child.stderr }).on("line", (line) => logAgain(line, logger));
  return child.stdio[3] as Duplex;
}

/** Logs a line of the printer's log, or Node's last words about its end. */
function logAgain(line: string, logger: Logger): void {
  try {
    const { level, time, msg, ...fields } = JSON.parse(line);
    logger[level as Exclude<LogLevel, "silent">](fields, msg);
  } catch {
    logger.warn({ said: line }, "the printer of boarding passes");
  }
}
