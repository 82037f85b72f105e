/* Everything but `describeWith`, which needs Jest: for programs that run outside of it. */
export { isUnavailable, type TestEngine, type Unavailable } from "./engine.ts";
export type { EventStoreEngine } from "./event-store/options.ts";
export { startEventStore } from "./event-store/start-event-store.ts";
export { missingReason } from "./missing-reason.ts";
export type { MongoEngine, MongoOptions } from "./mongo/options.ts";
export { startMongo } from "./mongo/start-mongo.ts";
export type { RedisOptions } from "./redis/options.ts";
export { startRedis } from "./redis/start-redis.ts";
export { type StripeMock, startStripeMock } from "./stripe-mock/start-stripe-mock.ts";
export type { ToxiproxyEngine } from "./toxiproxy/engine.ts";
export type { FaultProxy } from "./toxiproxy/proxy.ts";
export { startToxiproxy } from "./toxiproxy/start-toxiproxy.ts";
