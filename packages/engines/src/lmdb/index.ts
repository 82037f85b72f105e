export * from "./checksum.ts";
export * from "./data-folder.ts";
export * from "./environment.ts";
export * from "./recent-map.ts";
export * from "./storage-errors.ts";
export { causeOfWriteFailure } from "./storage-errors.ts";
