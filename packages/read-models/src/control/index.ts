export * from "./control.ts";
export * from "./remote-projector-control.ts";
export * from "./serve-requests.ts";
export * from "./skipped-events.ts";
