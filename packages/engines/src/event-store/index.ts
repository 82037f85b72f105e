export { DamagedStore } from "../lmdb/index.ts";
export * from "./append-notifier.ts";
export { AppendTooLarge, ForeignEvent, StreamTombstoned } from "./eventstoredb/errors.ts";
export {
  type EventStoreDbOptions,
  EventStoreDbStore,
  openEventStoreDb,
} from "./eventstoredb/eventstoredb-event-store.ts";
export { type LmdbEventLogReader, openLmdbEventLogReader } from "./lmdb/lmdb-event-log-reader.ts";
export { LMDB_EVENT_STORE_DATABASES, openLmdbEventStore } from "./lmdb/lmdb-event-store.ts";
export { InMemoryEventStore } from "./memory/in-memory-event-store.ts";
export * from "./port.ts";
export * from "./upcasting.ts";
