export { FaultyStateStore } from "./faulty-state-store.ts";
export { ManualTime } from "./manual-time.ts";
