import type { Socket } from "node:net";
import { createLogger, type Logger } from "./logger.ts";
import { readSettings, SettingError, type Settings, SettingsError } from "./settings.ts";
import { listenAt } from "./stream-address.ts";
import { beginHeartbeat, createHeartbeats, startWatchdog } from "./watchdog.ts";

/**
 * The `main` of a program that works for services on streams. It accepts connections at `LISTEN`. If it can't, it ends
 * with exit code 1 and a line on standard error. It needs no secret.
 * @param name in every line of its log.
 * @param open returns the handler of connections.
 */
export async function runListener(
  name: string,
  open: (settings: Settings, logger: Logger) => (socket: Socket) => void,
): Promise<void> {
  try {
    const settings = readSettings(process.env);
    const { listen, logLevel, watchdogSeconds } = settings;
    if (listen === undefined) {
      throw new SettingsError([
        new SettingError("LISTEN", "", "unix:/path or tcp://host:port, to take connections at"),
      ]);
    }
    const logger = createLogger({ level: logLevel, service: name });
    const heartbeats = createHeartbeats();
    beginHeartbeat(heartbeats, "main");
    if (watchdogSeconds > 0) await startWatchdog({ heartbeats, seconds: watchdogSeconds, service: name, logLevel });
    // Services repeat unfinished requests. The first process of a container has no default handler for a signal.
    for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(0));
    await listenAt(listen, open(settings, logger));
    logger.info({ at: listen }, "it takes connections");
  } catch (error) {
    process.stderr.write(
      `${error instanceof SettingsError ? error.message : `${name} can't listen: ${(error as Error).message}`}\n`,
    );
    process.exit(1);
  }
}
