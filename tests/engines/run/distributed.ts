import { proxyMissing } from "../../deployment/kit/proxy.ts";
import { startEventStore } from "../event-store/start-event-store.ts";
import { missingReason } from "../missing-reason.ts";
import { startMongo } from "../mongo/start-mongo.ts";
import { startRedis } from "../redis/start-redis.ts";

/** What the distributed profile stands on. */
const ENGINES = { redis: startRedis, mongo: startMongo, eventStore: startEventStore };

/** Whether the end-to-end suite runs a second time, on those. */
export function runsDistributed(): boolean {
  return distributedMissingReason() === undefined;
}

/** Why the second run has to be left out; undefined where it has not. */
export function distributedMissingReason(): string | undefined {
  return missingReason(ENGINES) ?? proxyMissing();
}
