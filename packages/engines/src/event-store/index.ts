export { DamagedStore } from "../lmdb/storage-errors.ts";
export * from "./append-notifier.ts";
export * from "./known-log.ts";
export * from "./port.ts";
export * from "./upcasting.ts";
