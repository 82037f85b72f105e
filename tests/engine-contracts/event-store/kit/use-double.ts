import { EventStoreDBClient } from "@eventstore/db-client";
import { afterAll, afterEach, beforeAll } from "@jest/globals";
import {
  type EventStoreDbOptions,
  type EventStoreDbStore,
  openEventStoreDb,
} from "@travel-booking/engines/event-store/eventstoredb";
import {
  type DoubleControl,
  type EventStoreDouble,
  type EventStoreDoubleOptions,
  startEventStoreDouble,
} from "../../../engines/eventstoredb/index.ts";
import { waitUntil } from "./until.ts";

/** What the tests of one file have. */
export interface DoubleFixture {
  readonly double: EventStoreDouble;
  readonly faults: DoubleControl;
  /** A store that is closed after the test. */
  open(options?: EventStoreDbOptions): EventStoreDbStore;
  /** The client as it is, for what the engine does not do; disposed of after the test. */
  client(): EventStoreDBClient;
}

/** A double for the tests of one file: it does nothing wrong at the start of each. */
export function useDouble(options: EventStoreDoubleOptions = {}): DoubleFixture {
  let double: EventStoreDouble | undefined;
  const running = () => {
    if (double === undefined) throw new Error("the double runs during tests only");
    return double;
  };
  const closers: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    double = await startEventStoreDouble(options);
    // It may have been told to say "not ready" for a while: that is for the restarts of a test.
    const store = openEventStoreDb(double.url);
    await waitUntil(() => store.ping()).finally(() => store.close());
  });
  afterEach(async () => {
    // What is held would keep the stores from closing. A test may have ended the double.
    await double?.faults.reset().catch(() => double?.restart());
    await Promise.all(closers.splice(0).map((close) => close()));
  });
  afterAll(async () => {
    await double?.stop();
  });
  return {
    get double() {
      return running();
    },
    get faults() {
      return running().faults;
    },
    open(storeOptions) {
      const store = openEventStoreDb(running().url, storeOptions);
      closers.push(() => store.close());
      return store;
    },
    client() {
      const client = EventStoreDBClient.connectionString(running().url);
      closers.push(() => client.dispose());
      return client;
    },
  };
}
