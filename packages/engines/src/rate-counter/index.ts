export * from "./memory/in-memory-rate-counter.ts";
export * from "./port.ts";
export * from "./redis/redis-rate-counter.ts";
