import { CONTAINERS, startContainer } from "../containers/container.ts";
import type { TestEngine } from "../engine.ts";
import { dockerMissingReason } from "../providers/docker.ts";
import type { EngineProvider } from "../providers/engine-provider.ts";
import { type RedisOptions, redisSettings } from "./options.ts";

export const redisInContainer: EngineProvider<TestEngine, RedisOptions> = {
  name: `container ${CONTAINERS.redis.image}`,
  isExpected: true,
  missingReason: dockerMissingReason,
  async start(options) {
    const { Wait } = await import("testcontainers");
    return startContainer({
      image: CONTAINERS.redis.image,
      port: 6379,
      command: ["redis-server", "--protected-mode", "no", ...redisSettings(options)],
      ready: Wait.forLogMessage(/Ready to accept connections/),
      urlOf: (address) => `redis://${address}`,
    });
  },
};
