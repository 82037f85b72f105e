import { withTimeout } from "@travel-booking/runtime/real-time";
import { Redis } from "ioredis";
import { endClient } from "./end-client.ts";
import { ProblemReporter } from "./problem-reporter.ts";
import { parseRedisAddress } from "./redis-address.ts";
import type { RedisConnection } from "./redis-connection.ts";
import { FAIL_FAST_OPTIONS } from "./redis-options.ts";
import { RedisUnavailable, redisUnavailable } from "./redis-unavailable.ts";
import { ServerIdentity } from "./server-identity.ts";

export interface OpenRedisOptions {
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
  const client = new Redis({ ...FAIL_FAST_OPTIONS, ...address });
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
