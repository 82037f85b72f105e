export * from "./parent/document-reviewer.ts";
export { ReadingFailed } from "./parent/reviewing-process.ts";
