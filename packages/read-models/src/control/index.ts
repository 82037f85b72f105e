export * from "./control.ts";
export * from "./remote/projection-request-store.ts";
export * from "./remote/remote-projector-control.ts";
export * from "./remote/serve-requests.ts";
