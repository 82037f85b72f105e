export * from "./receiver.ts";
export * from "./verify.ts";
