import { setTimeout } from "node:timers/promises";
import { EngineUnavailable } from "@travel-booking/engines/unavailable";
import type { ReadinessCheck, ReadinessChecks } from "@travel-booking/http";
import { engineLog, type Logger, type Settings, type Shutdown, StartupError } from "@travel-booking/runtime";
import { withTimeout } from "@travel-booking/runtime/real-time";

const POLL_INTERVAL_MS = 500;
/** A server that hangs counts as unreachable. */
const PING_TIMEOUT_MS = 5_000;

/** For each server the setting of its address, and its name for operators. */
const SERVERS = {
  EventStoreDB: { variable: "EVENT_STORE_URL", readiness: "the event store" },
  MongoDB: { variable: "MONGODB_URL", readiness: "the read store" },
  // Rate limits and write positions have a fallback, so a service stays ready without Redis.
  Redis: { variable: "REDIS_URL", readiness: undefined },
} as const;

type ServerName = keyof typeof SERVERS;

interface ServerHost {
  readonly settings: Pick<Settings, "startTimeoutSeconds">;
  readonly logger: Logger;
  readonly shutdown: Pick<Shutdown, "register">;
}

interface Connection {
  /** Rejects, or answers false, while the server can't be used. */
  ping(): Promise<unknown>;
  close(): unknown;
}

/** Connections to the servers of a service. It waits for them at its start and closes them at its end. */
export class ServerConnections {
  readonly #host: ServerHost;
  readonly #opened = new Map<ServerName, Connection>();

  constructor(host: ServerHost) {
    this.#host = host;
  }

  /**
   * Opens a connection that is closed at shutdown. `open` gets callbacks for outages that the engine recovers from.
   * @throws StartupError the engine can't use its address. The message repeats nothing of the address.
   */
  open<Opened extends Connection>(server: ServerName, open: (options: ReturnType<typeof engineLog>) => Opened): Opened {
    try {
      const connection = open(engineLog(this.#host.logger, server));
      this.#host.shutdown.register(server, () => connection.close());
      this.#opened.set(server, connection);
      return connection;
    } catch (cause) {
      throw notUsable(server, cause);
    }
  }

  /**
   * Resolves when all servers answer, because they may still be starting.
   * @throws StartupError a server does not answer within `START_TIMEOUT_SECONDS` of real time, or, at once, refuses the
   * set-up of this process. The message names the setting, but not the address, because it may contain a password.
   */
  async waitUntilReachable(pingTimeoutMs: number = PING_TIMEOUT_MS): Promise<void> {
    const giveUpAt = performance.now() + this.#host.settings.startTimeoutSeconds * 1_000;
    await Promise.all(Array.from(this.#opened.keys(), (name) => this.#waitFor(name, giveUpAt, pingTimeoutMs)));
  }

  /** Whether each needed server can be used. */
  get readiness(): ReadinessChecks {
    return Object.fromEntries(
      Array.from(this.#opened.keys()).flatMap((name): [string, ReadinessCheck][] => {
        const { readiness } = SERVERS[name];
        return readiness === undefined ? [] : [[readiness, () => this.#ping(name).catch(tellAnotherLog)]];
      }),
    );
  }

  async #waitFor(name: ServerName, giveUpAt: number, pingTimeoutMs: number): Promise<void> {
    const { variable } = SERVERS[name];
    for (let logged = false; ; logged = true) {
      try {
        await this.#ping(name, pingTimeoutMs);
        return;
      } catch (cause) {
        if (cause instanceof EngineUnavailable && cause.isMisconfigured) throw notUsable(name, cause);
        if (performance.now() > giveUpAt) {
          const message = `the server that ${variable} names does not answer: start it, or correct the address`;
          throw new StartupError(message, { cause });
        }
        if (!logged) this.#host.logger.warn({ variable, err: cause }, "waiting for a server to answer");
      }
      await setTimeout(POLL_INTERVAL_MS);
    }
  }

  /** @throws Error the server can't be used now. */
  async #ping(name: ServerName, timeoutMs = PING_TIMEOUT_MS): Promise<true> {
    const pong = this.#opened.get(name)?.ping() ?? Promise.resolve(false);
    const answer = await withTimeout(pong, timeoutMs, () => new Error("no answer in time"));
    if (answer === false) throw new Error("it can't be used yet");
    return true;
  }
}

/** Compares the name, not the class, because services that never read the log import this file, too. */
function tellAnotherLog(error: unknown): string {
  if (error instanceof EngineUnavailable && error.name === "AnotherLog") return error.message;
  throw error;
}

function notUsable(server: ServerName, cause: unknown): StartupError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new StartupError(`${SERVERS[server].variable} is not usable: ${why}`, { cause });
}
