export { InMemoryStateStore } from "../src/state-store/memory.ts";
