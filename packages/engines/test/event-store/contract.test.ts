import { describeEventStore } from "../../contract/event-store-contract.ts";
import { InMemoryEventStore } from "../../src/event-store/memory.ts";
import { openTemporaryStore } from "./temporary-store.ts";

describeEventStore("LMDB", async () => {
  const { store, dispose } = openTemporaryStore();
  return { store, dispose };
});

describeEventStore("in memory", async () => ({ store: new InMemoryEventStore(), dispose: async () => {} }));
