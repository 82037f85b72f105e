import { setFlagsFromString } from "node:v8";
import { runService, type Simulation } from "@travel-booking/service-host/run";
import { beginProjectorThread } from "./begin-projector-thread.ts";

/**
 * Runs all services in this process.
 * @param simulation given only by the entry point of tests.
 */
export async function runStandalone(simulation?: Simulation): Promise<void> {
  await runService(
    "standalone",
    async (given) => {
      const readOnly = given.settings.readOnly || process.argv.includes("--read-only");
      const host = { ...given, settings: { ...given.settings, readOnly } };
      if (process.argv.slice(2).join(" ") === "log rewrite") {
        const { rewriteLog } = await import("./rewrite-log.ts");
        process.stdout.write(await rewriteLog(host));
        await host.shutdown.stop("the log is rewritten");
      }
      const [command, verb, path] = process.argv.slice(2);
      if (command === "backup" && verb === "verify" && path !== undefined) {
        const { verifyBackup } = await import("./verify-backup.ts");
        process.stdout.write(`${JSON.stringify(await verifyBackup(host.settings, host.machineClock, path))}\n`);
        await host.shutdown.stop("the backup is verified");
      }
      const projectorThread = beginProjectorThread(host);
      // This import loads most of the service while the other thread loads the projector.
      const { startStandalone } = await import("./standalone.ts");
      return startStandalone(host, projectorThread);
    },
    simulation,
  );
  // Holds for both threads (docs/operations.md#memory). Set earlier, it would only cause more collections at the start.
  setFlagsFromString("--heap-growing-percent=60");
}
