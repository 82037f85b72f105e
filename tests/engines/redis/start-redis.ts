import type { TestEngine } from "../engine.ts";
import { engineStarter } from "../providers/engine-starter.ts";
import { redisFromEnvironment } from "./from-environment.ts";
import { redisInContainer } from "./in-container.ts";
import type { RedisOptions } from "./options.ts";
import { redisProcess } from "./process.ts";

/** An empty Redis. */
export const startRedis = engineStarter<TestEngine, RedisOptions>("redis", [
  redisFromEnvironment,
  redisInContainer,
  redisProcess,
]);
