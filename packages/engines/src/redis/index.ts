export * from "./commands.ts";
export * from "./connection.ts";
export { RedisUnavailable, redisUnavailable } from "./problems.ts";
