export * from "./check-target.ts";
export type { Resolve } from "./resolve.ts";
