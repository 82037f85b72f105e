import { startEventStore } from "../event-store/start-event-store.ts";
import { startMongo } from "../mongo/start-mongo.ts";
import { startRedis } from "../redis/start-redis.ts";
import { startToxiproxy } from "../toxiproxy/start-toxiproxy.ts";
import { type Tried, tryWays } from "../ways/try-ways.ts";

/**
 * Builds and downloads what the engines need and starts each of them once, so that no test waits for that, and what
 * does not work is known before the first test.
 */
export async function prepareEngines(): Promise<readonly Tried[]> {
  return Promise.all([tryWays(startRedis), tryWays(startMongo), tryWays(startEventStore), tryWays(startToxiproxy)]);
}
