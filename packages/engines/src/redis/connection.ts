import { withTimeout } from "@travel-booking/runtime/real-time";
import { Redis } from "ioredis";
import { ProblemReporter, RedisUnavailable, redisUnavailable } from "./problems.ts";
import { FAIL_FAST_OPTIONS, parseRedisAddress, reconnectStrategy } from "./settings.ts";

/** The connection of a process to its Redis. */
export interface RedisConnection {
  /** Connects again by itself for ever; a command fails at once while it is not connected. */
  readonly client: Redis;
  /** What every key of this project begins with. */
  readonly keyPrefix: string;
  /** @throws RedisUnavailable no answer, also where none was possible within a second. */
  ping(): Promise<void>;
  /**
   * Which server this is, as of the present connection; undefined while there is none. A server with another id may have
   * lost what the one before had acknowledged.
   */
  runId(): string | undefined;
  /** Waits for the answers to what was sent. Nothing is told to `onProblem` any more. */
  close(): Promise<void>;
}

interface OpenRedisOptions {
  /** Told once per outage, and again when the reason changes. Free of secrets. */
  readonly onProblem?: (problem: RedisUnavailable) => void;
  /** Keeps apart what shares a database; `tbs:` unless told. */
  readonly keyPrefix?: string;
}

const CONNECTED_WITHIN_MS = 1_000;

/**
 * Connects to `redis[s]://[[user]:password@]host[:port][/database]`, now or as soon as it is there.
 * @throws TypeError the URL is something else.
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

/** Which server is at the other end: asked at each connection before the connection counts as there. */
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

  /** Resolves when there is a connection and it is known to whom. */
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

  /** A server that drops keys where memory is short says nothing when it does. */
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
 * Ends a client for good; commands that wait for an answer are rejected. Resolves when it has ended.
 *
 * Between two attempts to connect it has no socket whose closing would end it, and its `disconnect` alone leaves it, and
 * whoever waits for it, waiting for ever: there an attempt is made and broken off.
 */
export function endClient(client: Redis): Promise<void> {
  if (client.status === "end") return Promise.resolve();
  const { promise, resolve } = Promise.withResolvers<void>();
  client.once("end", () => resolve());
  if (client.status === "reconnecting") client.connect().catch(() => undefined);
  client.disconnect();
  return promise;
}
