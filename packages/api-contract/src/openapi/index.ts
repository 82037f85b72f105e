export { type DocumentOptions, openApiDocument } from "./document.ts";
export * from "./types.ts";
