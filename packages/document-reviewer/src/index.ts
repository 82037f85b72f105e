export type { DrawnDocument } from "./answers.ts";
export * from "./document-reviewer.ts";
export { findIsolation } from "./isolation.ts";
export { startReader } from "./start-reader.ts";
