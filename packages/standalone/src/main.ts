import { PortInUse } from "@travel-booking/http";
import { StorageFault } from "@travel-booking/lmdb-environment";
import { createLogger, readSettings, SettingsError, Shutdown, watchNpmParent } from "@travel-booking/runtime";
import { startStandalone } from "./standalone.ts";

/** The one process of `npm start`: command-service, query-service and projector on embedded engines. */
async function main(): Promise<void> {
  const settings = readSettings(process.env);
  const logger = createLogger({ level: settings.logLevel, service: "standalone" });
  const shutdown = new Shutdown({ logger });
  shutdown.listen();
  watchNpmParent(() => void shutdown.stop("the npm that started this process has ended"));
  const summary = await startStandalone(settings, { logger, shutdown });
  process.stdout.write(summary);
}

/** What an operator can mend is said in one line (a line for each wrong setting); anything else keeps its stack. */
function explain(error: unknown): string {
  const known = error instanceof SettingsError || error instanceof StorageFault || error instanceof PortInUse;
  if (known) return error.message;
  const code = (error as NodeJS.ErrnoException).code;
  if (code === "EADDRNOTAVAIL")
    return `the address of HOST or OPERATOR_HOST is not one of this machine: ${(error as Error).message}`;
  if (code === "EACCES") return `not allowed: ${(error as Error).message}`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exit(1);
}
