export * from "./memory/memory-write-positions.ts";
export * from "./port.ts";
export * from "./redis/redis-write-positions.ts";
export * from "./write-position-not-kept.ts";
