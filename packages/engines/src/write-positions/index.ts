export * from "./memory/in-memory-write-positions.ts";
export * from "./port.ts";
export * from "./redis/redis-write-positions.ts";
export * from "./write-position-not-recorded.ts";
