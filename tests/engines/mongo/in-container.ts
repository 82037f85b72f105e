import { CONTAINERS, startContainer } from "../containers/container.ts";
import { dockerMissingReason } from "../providers/docker.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { freshDatabase } from "./fresh-database.ts";
import { type MongoEngine, type MongoOptions, ownStorageMissingReason } from "./options.ts";
import { becomePrimary } from "./replica-set.ts";

export const mongoInContainer: EngineProvider<MongoEngine, MongoOptions> = {
  name: `container ${CONTAINERS.mongo.image}`,
  isExpected: true,
  missingReason: (options) => dockerMissingReason() ?? ownStorageMissingReason(options),
  async start() {
    const { Wait } = await import("testcontainers");
    return startContainer({
      image: CONTAINERS.mongo.image,
      port: 27017,
      command: ["--replSet", "rs0", "--bind_ip_all"],
      environment: CONTAINERS.mongo.environment,
      ready: Wait.forLogMessage(/Waiting for connections/),
      // It knows itself by an address that is good inside its container alone.
      urlOf: (address) => `mongodb://${address}/${freshDatabase()}?directConnection=true`,
      async started(url) {
        const { MongoClient } = await import("mongodb");
        const client = new MongoClient(url);
        try {
          await becomePrimary(client.db("admin"));
        } finally {
          await client.close();
        }
      },
    });
  },
};
