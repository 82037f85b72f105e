export * from "./parent/document-reviewer.ts";
export * from "./parent/reviewer-pool.ts";
export { ReadingFailed, ReadingTookTooLong } from "./parent/reviewing-process.ts";
