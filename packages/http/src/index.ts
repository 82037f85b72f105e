export * from "./route.ts";
