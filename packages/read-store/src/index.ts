export { READ_STORE_DATABASES } from "./lmdb/databases.ts";
export { openLmdbReadModels } from "./lmdb/lmdb-read-models.ts";
export { openLmdbReadStore } from "./lmdb/lmdb-read-store.ts";
export * from "./parse-body.ts";
export * from "./port.ts";
export * from "./position-sort.ts";
