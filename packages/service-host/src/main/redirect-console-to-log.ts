import { format } from "node:util";
import type { Logger } from "@travel-booking/runtime";

/**
 * Standard error holds the log's JSON lines alone: what libraries and Node itself would write there as plain text
 * goes to the log. Whatever of it matters reaches us as an error besides, so it is kept low.
 */
export function redirectConsoleToLog(logger: Logger): void {
  for (const method of ["error", "warn", "info", "log", "debug", "trace"] as const) {
    console[method] = (...said: readonly unknown[]) => logger.debug({ said: format(...said) }, "library output");
  }
  process.removeAllListeners("warning");
  process.on("warning", (warning) => logger.debug({ err: warning }, "Node.js warning"));
}
