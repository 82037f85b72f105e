import type { TestEngine } from "../engine.ts";
import { starter } from "../ways/starter.ts";
import { redisInContainer } from "./in-container.ts";
import { redisOfEnvironment } from "./of-environment.ts";
import type { RedisOptions } from "./options.ts";
import { redisProcess } from "./process.ts";

/** An empty Redis. */
export const startRedis = starter<TestEngine, RedisOptions>("redis", [
  redisOfEnvironment,
  redisInContainer,
  redisProcess,
]);
