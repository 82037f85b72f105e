export { endClient, openRedis, type RedisConnection } from "./connection.ts";
export { type ProblemReporter, RedisUnavailable } from "./problems.ts";
