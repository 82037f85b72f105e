import { IMAGES, startContainer } from "../containers/container.ts";
import type { TestEngine } from "../engine.ts";
import { dockerMissing } from "../ways/docker.ts";
import type { Way } from "../ways/way.ts";
import { type RedisOptions, redisSettings } from "./options.ts";

export const redisInContainer: Way<TestEngine, RedisOptions> = {
  name: `container ${IMAGES.redis}`,
  missing: dockerMissing,
  async start(options) {
    const { Wait } = await import("testcontainers");
    return startContainer({
      image: IMAGES.redis,
      port: 6379,
      command: ["redis-server", ...redisSettings(options)],
      ready: Wait.forLogMessage(/Ready to accept connections/),
      urlOf: (address) => `redis://${address}`,
    });
  },
};
