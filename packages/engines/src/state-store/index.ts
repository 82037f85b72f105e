export * from "./lmdb/lmdb-state-store.ts";
export { InMemoryStateStore } from "./memory/in-memory-state-store.ts";
export { type MongoStateStoreOptions, openMongoStateStore } from "./mongodb/mongo-state-store.ts";
export * from "./port.ts";
export { StateStoreUnavailable } from "./state-store-unavailable.ts";
