import type { RedisConnection } from "@travel-booking/engines/redis";

/** Waits until Redis answers, however long that takes. */
export async function waitUntilConnected(redis: RedisConnection): Promise<void> {
  for (;;) {
    try {
      return await redis.ping();
    } catch {}
  }
}
