export * from "./control.ts";
export * from "./shared/desk.ts";
export * from "./shared/serve-requests.ts";
export * from "./shared/shared-control.ts";
