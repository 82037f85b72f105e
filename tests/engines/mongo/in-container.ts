import { IMAGES, startContainer } from "../containers/container.ts";
import { dockerMissing } from "../ways/docker.ts";
import type { Way } from "../ways/way.ts";
import { freshDatabase } from "./fresh-database.ts";
import { type MongoEngine, type MongoOptions, ownStorageMissing } from "./options.ts";
import { becomePrimary } from "./replica-set.ts";

export const mongoInContainer: Way<MongoEngine, MongoOptions> = {
  name: `container ${IMAGES.mongo}`,
  missing: (options) => dockerMissing() ?? ownStorageMissing(options),
  async start() {
    const { Wait } = await import("testcontainers");
    return startContainer({
      image: IMAGES.mongo,
      port: 27017,
      command: ["--replSet", "rs0", "--bind_ip_all"],
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
