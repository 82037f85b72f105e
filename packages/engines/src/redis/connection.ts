import { withTimeout } from "@travel-booking/runtime/real-time";
import { Redis } from "ioredis";
import { ProblemReporter, RedisUnavailable, redisUnavailable } from "./problems.ts";
import { FAIL_FAST_OPTIONS, parseRedisAddress, reconnectStrategy } from "./settings.ts";

/** The connection of a process to Redis. */
export interface RedisConnection {
  /** Reconnects for ever; a command fails at once while there is no connection. */
  readonly client: Redis;
  /** Prefix of all keys. */
  readonly keyPrefix: string;
  /** @throws RedisUnavailable also where there is no connection within a second. */
  ping(): Promise<void>;
  /**
   * The run id of the connected server; undefined while there is none. Another server may have lost what this one had
   * acknowledged.
   */
  runId(): string | undefined;
  /** Waits for answers to commands that were sent. `onProblem` is not called any more. */
  close(): Promise<void>;
}

interface OpenRedisOptions {
  /** Called once per outage, and again when the reason changes. The message has no secrets. */
  readonly onProblem?: (problem: RedisUnavailable) => void;
  /** Prefix of all keys, for several installations on one database; by default `tbs:`. */
  readonly keyPrefix?: string;
}

const CONNECTED_WITHIN_MS = 1_000;

/**
 * Connects to `redis[s]://[[user]:password@]host[:port][/database]` in the background.
 * @throws TypeError the URL has another form.
 */
export function openRedis(url: string, { onProblem, keyPrefix = "tbs:" }: OpenRedisOptions = {}): RedisConnection {
  const address = parseRedisAddress(url);
  const client = new Redis({ ...FAIL_FAST_OPTIONS, retryStrategy: reconnectStrategy(), ...address });
  const problems = new ProblemReporter(onProblem, address.password);
  const server = new ServerIdentity(client, problems);
  client.on("error", (error) => problems.report("no connection", error));
  const late = () => problems.latest ?? new RedisUnavailable("Redis: no connection within a second");
  return {
    client,
    keyPrefix,
    runId: () => server.runId,
    async ping() {
      await withTimeout(server.identified, CONNECTED_WITHIN_MS, late);
      try {
        await client.ping();
      } catch (error) {
        throw redisUnavailable("no answer to a ping", error, address.password);
      }
    },
    async close() {
      problems.mute();
      await client.quit().catch(() => undefined);
      await endClient(client);
    },
  };
}

/** The run id of the connected server, asked for after each connection. */
class ServerIdentity {
  readonly #client: Redis;
  readonly #problems: ProblemReporter;
  #runId: string | undefined;
  #known = Promise.withResolvers<void>();

  constructor(client: Redis, problems: ProblemReporter) {
    this.#client = client;
    this.#problems = problems;
    client.on("ready", () => this.#identify());
    client.on("close", () => this.#clear());
  }

  get runId(): string | undefined {
    return this.#runId;
  }

  /** Resolves when the server has sent its run id. */
  get identified(): Promise<void> {
    return this.#known.promise;
  }

  async #identify(): Promise<void> {
    try {
      const info = await this.#client.info();
      const runId = /^run_id:(\w+)/m.exec(info)?.[1];
      if (runId === undefined) throw new Error("its answer to INFO has no run_id");
      this.#problems.resolve();
      this.#checkEvictionPolicy(info);
      this.#runId = runId;
      this.#known.resolve();
    } catch (error) {
      this.#problems.report("it does not say which server it is", error);
      if (this.#client.status === "ready") this.#client.disconnect(true);
    }
  }

  /** Redis does not report evictions. */
  #checkEvictionPolicy(info: string): void {
    const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? "noeviction";
    if (policy === "noeviction") return;
    const reason = new Error(`its maxmemory-policy is ${policy} and must be noeviction`);
    this.#problems.report("it may evict what was written", reason);
  }

  #clear(): void {
    if (this.#runId === undefined) return;
    this.#runId = undefined;
    this.#known = Promise.withResolvers();
  }
}

/**
 * Ends a client; pending commands are rejected. Resolves when it has ended.
 *
 * Between two connection attempts ioredis has no socket whose closing would end the client, and `disconnect` alone
 * never emits "end". So an attempt is started and disconnected.
 */
export function endClient(client: Redis): Promise<void> {
  if (client.status === "end") return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  client.once("end", () => resolve());
  if (client.status === "reconnecting") client.connect().catch(() => undefined);
  client.disconnect();
  return promise;
}
