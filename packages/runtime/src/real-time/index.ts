export * from "./backoff.ts";
export * from "./mutex.ts";
export * from "./real-time.ts";
export * from "./with-timeout.ts";
