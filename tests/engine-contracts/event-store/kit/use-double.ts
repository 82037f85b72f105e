import { afterAll, afterEach, beforeAll } from "@jest/globals";
import { openEventStoreDb } from "@travel-booking/engines/event-store/eventstoredb";
import {
  type DoubleControl,
  type EventStoreDouble,
  type EventStoreDoubleOptions,
  startEventStoreDouble,
} from "../../../engines/eventstoredb/index.ts";
import { waitUntil } from "./until.ts";
import { type Stores, useStores } from "./use-stores.ts";

/** What the tests of one file have. */
export interface DoubleFixture extends Stores {
  readonly double: EventStoreDouble;
  readonly faults: DoubleControl;
}

/** A double for tests that need what it does wrong: it does nothing wrong at the start of each. */
export function useDouble(options: EventStoreDoubleOptions = {}): DoubleFixture {
  let double: EventStoreDouble | undefined;
  const running = () => {
    if (double === undefined) throw new Error("the double runs during tests only");
    return double;
  };
  beforeAll(async () => {
    double = await startEventStoreDouble(options);
    // It may have been told to say "not ready" for a while: that is for the restarts of a test.
    const store = openEventStoreDb(double.url);
    await waitUntil(() => store.ping()).finally(() => store.close());
  });
  // What is held would keep the stores from closing, so this comes before that. A test may have ended the double.
  afterEach(async () => {
    await double?.faults.reset().catch(() => double?.restart());
  });
  const stores = useStores({
    get url() {
      return running().url;
    },
  });
  afterAll(async () => {
    await double?.stop();
  });
  return {
    ...stores,
    get double() {
      return running();
    },
    get faults() {
      return running().faults;
    },
  };
}
