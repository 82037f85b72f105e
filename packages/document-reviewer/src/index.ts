export * from "./parent/document-reviewer.ts";
export { ReadingFailed, ReadingTimeout } from "./parent/reviewer-child-process.ts";
export * from "./parent/reviewer-pool.ts";
