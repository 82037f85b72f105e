export * from "./demo-catalogue.ts";
