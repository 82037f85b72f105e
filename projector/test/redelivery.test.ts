import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { RecordedEvent } from "@travel-booking/engines/event-store";
import type { ReadStore } from "@travel-booking/engines/read-store";
import { type TemporaryReadStore, temporaryReadStore } from "@travel-booking/engines/read-store/testing";
import { SealedDocuments } from "@travel-booking/read-models/sealed-words";
import { newWords } from "@travel-booking/read-models/testing";
import type { Projection } from "../src/index.ts";
import { ProjectionFold } from "../src/projection-fold.ts";
import { berths, fleet, waiting } from "./kit/example-projections.ts";
import { dumpOf } from "./kit/harness.ts";
import { TestLog } from "./kit/log.ts";
import { neverFull } from "./kit/never-full.ts";

type Step = readonly [stream: string, type: string, name?: string];

const CASES: readonly (readonly [string, readonly Step[]])[] = [
  ["a document made", [["ship-a", "Boarded", "ann"]]],
  [
    "a document changed",
    [
      ["ship-a", "Boarded", "ann"],
      ["ship-a", "Boarded", "bob"],
      ["ship-a", "Departed"],
    ],
  ],
  [
    "a document deleted",
    [
      ["ship-a", "Boarded", "ann"],
      ["ship-a", "Scrapped"],
    ],
  ],
  [
    "a document made anew",
    [
      ["ship-a", "Boarded", "ann"],
      ["ship-a", "Scrapped"],
      ["ship-a", "Boarded", "bob"],
    ],
  ],
  [
    "a document deleted twice, and made anew twice",
    [
      ["ship-a", "Boarded", "ann"],
      ["ship-a", "Scrapped"],
      ["ship-a", "Scrapped"],
      ["ship-a", "Boarded", "bob"],
      ["ship-a", "Boarded", "cid"],
      ["ship-a", "Scrapped"],
      ["ship-a", "Boarded", "dot"],
    ],
  ],
  [
    "several documents",
    [
      ["ship-a", "Boarded", "ann"],
      ["ship-b", "Boarded", "bob"],
      ["ship-a", "Departed"],
    ],
  ],
  [
    "events of no interest",
    [
      ["dock-1", "Opened"],
      ["ship-a", "Boarded", "ann"],
      ["dock-1", "Closed"],
    ],
  ],
];

let temporary: TemporaryReadStore;
let store: ReadStore;
let log: TestLog;
beforeEach(() => {
  temporary = temporaryReadStore();
  store = temporary.store;
  log = new TestLog();
});
afterEach(() => temporary.close());

async function newFold(projection: Projection, readStore = store): Promise<ProjectionFold> {
  const generation = await readStore.create(projection.name, 1);
  await readStore.switchLive(generation);
  return new ProjectionFold(readStore, projection, generation, await readStore.checkpoint(generation));
}

async function deliver(events: readonly RecordedEvent[], batchSize: number, readStore = store): Promise<void> {
  for (const projection of [fleet, waiting, berths]) {
    const fold = await newFold(projection, readStore);
    for (let start = 0; start < events.length; start += batchSize) {
      await fold.fold(events.slice(start, start + batchSize), neverFull);
      const batch = fold.takeBatch();
      await new SealedDocuments(readStore, newWords()).write([batch]);
      fold.markWritten(batch);
    }
  }
}

describe.each(CASES)("%s", (_, steps) => {
  let events: readonly RecordedEvent[];
  beforeEach(async () => {
    for (const step of steps) await log.record(...step);
    events = await log.all();
  });

  test("delivered again, changes nothing", async () => {
    await deliver(events, 100);
    const once = await dumpOf(store);
    await deliver(events, 100);
    await deliver(events, 1);
    expect(await dumpOf(store)).toStrictEqual(once);
  });

  test("has the same result in batches of any size", async () => {
    await deliver(events, 100);
    const once = await dumpOf(store);
    const other = temporaryReadStore();
    await deliver(events, 1, other.store);
    expect(await dumpOf(other.store)).toStrictEqual(once);
    await other.close();
  });

  test("has the same result if the process ended between any two batches", async () => {
    await deliver(events, 100);
    const once = await dumpOf(store);
    for (let end = 0; end <= events.length; end++) {
      const other = temporaryReadStore();
      await deliver(events.slice(0, end), 1, other.store);
      await deliver(events, 100, other.store);
      expect(await dumpOf(other.store)).toStrictEqual(once);
      await other.close();
    }
  });
});
