import { describeEventStore } from "@travel-booking/engines/event-store/contract";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import { describeWith, startEventStore } from "../../engines/index.ts";

describeWith({ eventStore: startEventStore }, "on a server", ({ eventStore }) => {
  describeEventStore("EventStoreDB", async () => ({
    store: openEventStoreDb(eventStore.url),
    dispose: async () => {},
  }));
});
