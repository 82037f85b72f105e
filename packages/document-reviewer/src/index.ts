export { type DrawnDocument, ReadingFailed, ReadingTimeout } from "./child-process.ts";
export * from "./document-reviewer.ts";
export { findIsolation } from "./isolation.ts";
