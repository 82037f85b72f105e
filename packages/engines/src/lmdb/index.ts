export * from "./checksum.ts";
export * from "./data-folder.ts";
export * from "./environment.ts";
export * from "./faults.ts";
export { causeOfWriteFailure } from "./write-failure.ts";
