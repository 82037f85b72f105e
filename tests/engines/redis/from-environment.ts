import { randomUUID } from "node:crypto";
import type { Redis } from "ioredis";
import type { TestEngine } from "../engine.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { environmentMissingReason, uncontrollable } from "../providers/environment-server.ts";
import type { RedisOptions } from "./options.ts";

const VARIABLE = "TEST_REDIS_URL";
const CLAIM = "claimed-by-a-test";
/** A claim that a crashed run has left ends by itself. */
const CLAIMED_FOR_SECONDS = 3_600;

export const redisFromEnvironment: EngineProvider<TestEngine, RedisOptions> = {
  name: `server of ${VARIABLE}`,
  isExpected: true,
  missingReason({ killable = false, appendOnly = false }) {
    return environmentMissingReason(VARIABLE, { killable: killable || appendOnly });
  },
  /** Takes one of its numbered databases that is empty, and empties it again in the end. Never touches another one. */
  async start() {
    const { Redis } = await import("ioredis");
    const server = new URL(process.env[VARIABLE] ?? "");
    const client = new Redis(server.href, { maxRetriesPerRequest: 1, retryStrategy: null, lazyConnect: true });
    client.on("error", () => {});
    try {
      await client.connect();
      server.pathname = `/${await claimDatabase(client)}`;
    } catch {
      client.disconnect();
      // What the client says may hold the url, and with it a password.
      throw new Error("it does not answer, or has no empty database");
    }
    return {
      url: server.href,
      async stop() {
        await client.flushdb();
        client.disconnect();
      },
      ...uncontrollable(VARIABLE),
    };
  },
};

/** Leaves the client in it. @throws Error the server has no such database, so none that is empty either. */
async function claimDatabase(client: Redis): Promise<number> {
  for (let database = 0; ; database += 1) {
    await client.select(database);
    if ((await client.dbsize()) > 0) continue;
    const claim = randomUUID();
    const isOurs = await client.set(CLAIM, claim, "EX", CLAIMED_FOR_SECONDS, "NX");
    if (isOurs === "OK" && (await client.dbsize()) === 1) return database;
    if (isOurs === "OK") await client.del(CLAIM);
  }
}
