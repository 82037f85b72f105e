export * from "./data-folder.ts";
export * from "./environment.ts";
export * from "./rewrite.ts";
export * from "./storage-errors.ts";
export * from "./text-keys.ts";
