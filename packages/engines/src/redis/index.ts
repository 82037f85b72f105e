export * from "./circuit-breaker.ts";
export * from "./end-client.ts";
export * from "./open-redis.ts";
export * from "./redis-connection.ts";
export { RedisUnavailable, redisUnavailable } from "./redis-unavailable.ts";
export * from "./script.ts";
