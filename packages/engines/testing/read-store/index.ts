export { openRoot, temporaryFolder } from "./temporary-environment.ts";
export { type TemporaryReadStore, temporaryReadStore } from "./temporary-read-store.ts";
