import { withTimeout } from "@travel-booking/runtime/real-time";
import { Redis } from "ioredis";
import { CircuitBreaker } from "./circuit-breaker.ts";
import { ProblemReporter, RedisUnavailable } from "./problems.ts";
import { FAIL_FAST_OPTIONS, parseRedisAddress, reconnectStrategy } from "./settings.ts";

interface OpenRedisOptions {
  /** Called once for each reason of an outage. The message has no secrets. */
  readonly onProblem?: (problem: RedisUnavailable) => void;
  /** Prefix of all keys, for several installations on one database; by default `tbs:`. */
  readonly keyPrefix?: string;
  /** Milliseconds of real time to wait for the answer to a command of `run`; by default 250. */
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 250;
const CONNECTED_WITHIN_MS = 1_000;
const RECONNECTED_WITHIN_MS = 250;
/** Time for the answers to commands that were sent before closing. */
const QUIT_WITHIN_MS = 500;

/**
 * Connects to `redis[s]://[[user]:password@]host[:port][/database]` in the background.
 * @throws TypeError the URL has another form.
 */
export function openRedis(url: string, options: OpenRedisOptions = {}): RedisConnection {
  return new RedisConnection(url, options);
}

/** The connection of a process to Redis. */
export class RedisConnection {
  /** Reconnects for ever. While there is no connection, a command fails at once. */
  readonly client: Redis;
  /** Prefix of all keys. */
  readonly keyPrefix: string;
  readonly problems: ProblemReporter;
  readonly #circuitBreaker: CircuitBreaker;
  /**
   * The run id of the connected server, requested after each connection. A different server may lack writes that this
   * one acknowledged.
   */
  #runId: string | undefined;
  #identified = Promise.withResolvers<void>();

  constructor(
    url: string,
    { onProblem = () => undefined, keyPrefix = "tbs:", deadlineMs = DEADLINE_MS }: OpenRedisOptions,
  ) {
    const address = parseRedisAddress(url);
    this.client = new Redis({ ...FAIL_FAST_OPTIONS, retryStrategy: reconnectStrategy(), ...address });
    this.keyPrefix = keyPrefix;
    this.problems = new ProblemReporter(onProblem, address.password);
    this.#circuitBreaker = new CircuitBreaker(this.problems, deadlineMs);
    this.client.on("error", (error) => this.problems.report("no connection", error));
    this.client.on("ready", () => this.#identify());
    this.client.on("close", () => this.#forgetServer());
  }

  /** @throws RedisUnavailable also if there is no connection within a second. */
  async ping(): Promise<void> {
    const late = () => this.problems.latest ?? new RedisUnavailable("Redis: no connection within a second");
    await withTimeout(this.#identified.promise, CONNECTED_WITHIN_MS, late);
    try {
      await this.client.ping();
    } catch (error) {
      throw this.problems.describe("no answer to a ping", error);
    }
  }

  /** Waits while a lost connection is made again, but only a short time, because Redis may be out of reach. */
  async untilReconnected(): Promise<void> {
    if (this.#runId !== undefined) return;
    await withTimeout(this.#identified.promise, RECONNECTED_WITHIN_MS, () => new Error("late")).catch(() => undefined);
  }

  /**
   * Sends one command; `runId` is that of the server that gets it.
   * @throws RedisUnavailable at once while Redis is known to be out of reach, else by the deadline. The command may
   * have been carried out.
   */
  async run<T>(command: (client: Redis, runId: string) => Promise<T>): Promise<T> {
    const runId = this.#runId;
    if (runId === undefined) throw this.problems.latest ?? new RedisUnavailable("Redis is out of reach");
    return this.#circuitBreaker.run(() => command(this.client, runId));
  }

  /** Waits for the answers to commands that were sent. Reports no further problem. */
  async close(): Promise<void> {
    this.problems.mute();
    await withTimeout(this.client.quit(), QUIT_WITHIN_MS, () => new Error("late")).catch(() => undefined);
    await endClient(this.client);
  }

  async #identify(): Promise<void> {
    try {
      const info = await this.client.info();
      const runId = /^run_id:(\w+)/m.exec(info)?.[1];
      if (runId === undefined) throw new Error("its answer to INFO has no run_id");
      this.problems.resolve();
      this.#checkEvictionPolicy(info);
      this.#runId = runId;
      this.#identified.resolve();
    } catch (error) {
      this.problems.report("it does not say which server it is", error);
      if (this.client.status === "ready") this.client.disconnect(true);
    }
  }

  /** Redis does not report evictions, so the policy is checked. */
  #checkEvictionPolicy(info: string): void {
    const policy = /^maxmemory_policy:([\w-]+)/m.exec(info)?.[1] ?? "noeviction";
    if (policy === "noeviction") return;
    const reason = new Error(`its maxmemory-policy is ${policy} and must be noeviction`);
    this.problems.report("it may evict what was written", reason);
  }

  #forgetServer(): void {
    if (this.#runId === undefined) return;
    this.#runId = undefined;
    this.#identified = Promise.withResolvers();
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
