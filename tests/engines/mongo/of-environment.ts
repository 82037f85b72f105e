import { givenMissing, notOurs } from "../ways/given.ts";
import type { Way } from "../ways/way.ts";
import { freshDatabase } from "./fresh-database.ts";
import { type MongoEngine, type MongoOptions, ownStorageMissing } from "./options.ts";
import { withDatabase } from "./with-database.ts";

const VARIABLE = "TEST_MONGODB_URL";
const ANSWERS_WITHIN_MS = 5_000;

export const mongoOfEnvironment: Way<MongoEngine, MongoOptions> = {
  name: `server of ${VARIABLE}`,
  missing: (options) => givenMissing(VARIABLE, options) ?? ownStorageMissing(options),
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
      ...notOurs(VARIABLE),
    };
  },
};
