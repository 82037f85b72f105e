export { openedStore } from "./opened-store.ts";
export * from "./webhook-writes.ts";
