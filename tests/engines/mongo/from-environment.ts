import type { EngineProvider } from "../providers/engine-provider.ts";
import { environmentMissingReason, uncontrollable } from "../providers/environment-server.ts";
import { freshDatabase } from "./fresh-database.ts";
import { type MongoEngine, type MongoOptions, ownStorageMissingReason } from "./options.ts";
import { withDatabase } from "./with-database.ts";

const VARIABLE = "TEST_MONGODB_URL";
const ANSWERS_WITHIN_MS = 5_000;

export const mongoFromEnvironment: EngineProvider<MongoEngine, MongoOptions> = {
  name: `server of ${VARIABLE}`,
  isExpected: true,
  missingReason: (options) => environmentMissingReason(VARIABLE, options) ?? ownStorageMissingReason(options),
  async start() {
    const { MongoClient } = await import("mongodb");
    const url = withDatabase(process.env[VARIABLE] ?? "", freshDatabase());
    const client = new MongoClient(url, { serverSelectionTimeoutMS: ANSWERS_WITHIN_MS });
    try {
      await client.db().command({ ping: 1 });
    } catch {
      await client.close();
      // What the client says may hold the url, and with it a password.
      throw new Error("it does not answer");
    }
    return {
      url,
      async stop() {
        await client.db().dropDatabase();
        await client.close();
      },
      ...uncontrollable(VARIABLE),
    };
  },
};
