import { startEventStore } from "../event-store/start-event-store.ts";
import { missingOf } from "../missing-of.ts";
import { startMongo } from "../mongo/start-mongo.ts";
import { startRedis } from "../redis/start-redis.ts";

/** Whether the end-to-end suite runs a second time, on the engines of the distributed profile. */
const SWITCHED_ON: boolean = false;

/** What the distributed profile stands on. */
const ENGINES = { redis: startRedis, mongo: startMongo, eventStore: startEventStore };

export function runsDistributed(): boolean {
  return SWITCHED_ON && missingOf(ENGINES) === undefined;
}

/** Why the second run is left out although it is switched on. */
export function distributedMissing(): string | undefined {
  return SWITCHED_ON ? missingOf(ENGINES) : undefined;
}
