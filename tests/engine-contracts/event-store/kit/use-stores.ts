import { EventStoreDBClient } from "@eventstore/db-client";
import { afterEach } from "@jest/globals";
import {
  type EventStoreDbOptions,
  type EventStoreDbStore,
  openEventStoreDb,
} from "@travel-booking/engines/event-store/eventstoredb";

/** What a test opens on one server. */
export interface Stores {
  /** A store that is closed after the test. */
  open(options?: EventStoreDbOptions): EventStoreDbStore;
  /** The client as it is, for what the engine does not do; disposed of after the test. */
  client(): EventStoreDBClient;
}

/** @param server runs while tests do: the double, or what `describeWith` has started, which may be a real server. */
export function useStores(server: { readonly url: string }): Stores {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  return {
    open(storeOptions) {
      const store = openEventStoreDb(server.url, storeOptions);
      closers.push(() => store.close());
      return store;
    },
    client() {
      const client = EventStoreDBClient.connectionString(server.url);
      closers.push(() => client.dispose());
      return client;
    },
  };
}
