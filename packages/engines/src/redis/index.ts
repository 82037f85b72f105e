export { endClient, openRedis, type RedisConnection } from "./connection.ts";
export { RedisUnavailable } from "./problems.ts";
