export * from "./port.ts";
export { StateStoreUnavailable } from "./state-store-unavailable.ts";
