import { proxyMissing } from "../../deployment/kit/proxy.ts";
import { startEventStore } from "../event-store/start-event-store.ts";
import { missingReason } from "../missing-reason.ts";
import { startMongo } from "../mongo/start-mongo.ts";
import { type EngineSelection, selectProvider } from "../providers/select-provider.ts";
import { startRedis } from "../redis/start-redis.ts";
import { startStripeMock } from "../stripe-mock/start-stripe-mock.ts";
import { startToxiproxy } from "../toxiproxy/start-toxiproxy.ts";

/**
 * Builds and downloads what the engines need and starts each of them once, so that no test waits for that, and what
 * does not work is known before the first test.
 */
export async function prepareEngines(): Promise<readonly EngineSelection[]> {
  return Promise.all([
    selectProvider(startRedis),
    selectProvider(startMongo),
    selectProvider(startEventStore),
    selectProvider(startToxiproxy),
    selectProvider(startStripeMock),
  ]);
}

/** Why the end-to-end suite cannot run on the distributed profile here; undefined where it can. */
export function distributedMissingReason(): string | undefined {
  return missingReason({ redis: startRedis, mongo: startMongo, eventStore: startEventStore }) ?? proxyMissing();
}
